// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "chemistry/decisions/exchanged_places.hpp"
#include "chemistry/perception/chemistry.hpp"

namespace ionwell {

/// Nucleotides within a chain with three oxygens at P besides its bonds to riboses, one of which lies on O3'
/// of the residue before: that one gets the name of the third, which no such nucleotide has. O(residues).
std::vector<ExchangedPlaces> surplus_oxygens(std::span<const Atom> atoms, const Chemistry& chemistry);

}  // namespace ionwell
