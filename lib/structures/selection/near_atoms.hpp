// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/structure.hpp"

namespace ionwell {

/// One for each atom whose centre is within `distance_A` of that of a selected atom, which may be itself;
/// both spans have one element an atom. Without periods.
std::vector<std::uint8_t> atoms_within(std::span<const Atom> atoms, std::span<const std::uint8_t> selected,
                                       double distance_A);

}  // namespace ionwell
