// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "chemistry/perception/chemistry.hpp"

namespace ionwell {

/// C of an amino acid and the oxygen of a nucleotide's ribose that it is bound to, as in an aminoacyl-tRNA.
struct EsterBond {
  std::uint32_t oxygen = 0, carbon = 0;  // atoms
};

/// Of the links that were found. O(links).
std::vector<EsterBond> ester_bonds(std::span<const Atom> atoms, const Chemistry& chemistry);

}  // namespace ionwell
