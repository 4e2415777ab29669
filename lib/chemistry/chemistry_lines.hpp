// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "chemistry/perception/chemistry.hpp"

namespace ionwell {

/// "76 nucleotides in 1 piece, -73 e": the chains of a structure, in standard conditions; empty where there
/// are none.
std::string chain_summary(const Chemistry& chemistry);

/// "PSU 39 A: modified nucleotide, made from U (by its name)": what is not plain, a line for each note; after
/// `most` lines one that says how many more there are.
std::vector<std::string> chemistry_lines(const Chemistry& chemistry, std::span<const Atom> atoms,
                                         std::size_t most);

}  // namespace ionwell
