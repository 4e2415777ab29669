// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "chemistry/decisions/decisions.hpp"
#include "chemistry/decisions/exchanged_places.hpp"

namespace ionwell {

/// ASN and GLN whose NH2 is bound to a metal, and HIS of whose ring a carbon is nearest to one: in a map O, N
/// and C of light atoms look alike, but metals bind O of an amide and N of a ring. One
/// with hydrogens in the file stays, which its row says. O(metals * residues).
std::vector<ExchangedPlaces> turns_at_metals(std::span<const Atom> atoms, const Chemistry& chemistry,
                                             const ChemistryChoices& choices, const ResidueUse& use);

}  // namespace ionwell
