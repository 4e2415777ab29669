// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/structure.hpp"

namespace ionwell {

/// Atoms of a residue that get each other's places before all else is decided, and the row of the table that
/// says so.
struct ExchangedPlaces {
  std::uint32_t residue = 0;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> atoms;  // none: only the row
  std::string what, why;
};

/// The atoms in their places.
std::vector<Atom> exchanged(std::span<const Atom> atoms, std::span<const ExchangedPlaces> exchanges);

}  // namespace ionwell
