// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "chemistry/perception/chemistry.hpp"

namespace ionwell {

/// A selection of these residues and no others: by their name, where no other residue has that, whole chains,
/// and otherwise by chain and number. Empty where the words for that do not tell them apart, or where it
/// would be long. O(residues).
std::string residue_selection(std::span<const Atom> atoms, const Chemistry& chemistry,
                              std::span<const std::uint32_t> residues);

}  // namespace ionwell
