// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "chemistry/decisions/decisions.hpp"

/// Side chains stay where the file has them if they are bound to what PDB2PQR does not see.
namespace ionwell {

/// An atom of an amino acid's side chain that is bound to a metal, or to another residue besides its
/// neighbours.
struct BoundAtom {
  std::uint32_t atom = 0, partner = 0;
};

/// Those whose partners are in the system. O(metals + links).
std::vector<BoundAtom> bound_side_chain_atoms(std::span<const Atom> atoms, const Chemistry& chemistry,
                                              const ChemistryChoices& choices, const ResidueUse& use);

/// Turns a side chain about the bonds between CA and an atom of it, until that lies as near as they allow to
/// where it was in the file: PDB2PQR turns amides, rings and other side chains by their hydrogen bonds, and
/// sees neither metals nor ligands. `answer`: its atoms, under the names of `residue`. Hydrogens move with
/// the atoms nearest to them.
void turn_back(std::span<Atom> answer, const ResidueTemplate& residue, std::span<const Atom> file,
               std::string_view bound);

}  // namespace ionwell
