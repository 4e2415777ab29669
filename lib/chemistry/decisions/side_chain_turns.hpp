#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "chemistry/decisions/decisions.hpp"

namespace ionwell {

/// What becomes of an amide or a histidine whose N of NH2, or C, lies at a metal, and the row of the table
/// that says so.
struct SideChainTurn {
  std::uint32_t residue = 0;
  std::vector<std::pair<std::uint32_t, std::uint32_t>>
      exchanged;  // atoms whose places are; none: it stays, since its hydrogens are in the file
  std::string what, why;
};

/// ASN and GLN whose NH2 is bound to a metal, and HIS of whose ring a carbon is nearest to one: in a map O, N
/// and C of light atoms look alike, but metals bind O of an amide and N of a ring. O(metals * residues).
std::vector<SideChainTurn> turns_at_metals(std::span<const Atom> atoms, const Chemistry& chemistry,
                                           const ChemistryChoices& choices, const ResidueUse& use);

/// The atoms in their places.
std::vector<Atom> turned(std::span<const Atom> atoms, std::span<const SideChainTurn> turns);

}  // namespace ionwell
