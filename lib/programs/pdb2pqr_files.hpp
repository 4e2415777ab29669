// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/structure.hpp"
#include "programs/pdb2pqr.hpp"

namespace ionwell {

/// What becomes of a residue: PDB2PQR gets it; it is an ion that the table of ions knows and comes back with
/// its formal charge; it is water; or nobody has charges for it, or it has too few atoms to be built.
enum class Pdb2pqrFate { sent, ion, water, unknown, incomplete };

/// The atoms [begin, end) of one residue, and what PDB2PQR knows it by when it is sent.
struct Pdb2pqrResidue {
  std::size_t begin = 0, end = 0;
  Pdb2pqrFate fate = Pdb2pqrFate::unknown;
  std::size_t file = 0;  // in pdb_texts
  char chain = ' ';
  int number = 0;
};

/// A structure as PDB files that PDB2PQR 3.5.2 makes no mistakes with: no waters and ions, no phosphates or
/// single atoms in place of a residue (it gives up on them), a chain's letter of its own for each piece
/// between two ends of chains (it joins chains of one name over TER), residues numbered from 1 (it takes no
/// number twice), its own names for nucleotides, protonated residues and selenomethionine, coordinates that
/// fit their columns, and not more than 62 pieces or 99,999 atoms a file.
struct Pdb2pqrInput {
  std::vector<Pdb2pqrResidue> residues;  // in the order of the structure, every atom in one of them
  std::vector<std::string> pdb_texts;
  Vec3<double> shift_A;                // added to the structure's positions
  std::int64_t selenomethionines = 0;  // sent as methionine
};

/// Alternate locations must have been resolved. Throws Error for a chain of more than 9,999 residues, and
/// when there is nothing to send, and no ion. O(atoms).
Pdb2pqrInput pdb2pqr_input(const Structure& structure);

/// One of PDB2PQR's complaints, "Missing atom C8 in residue RG A 3": the atom, and its residue in `residues`.
struct MissingAtom {
  std::string name;
  std::size_t residue = 0;

  friend bool operator==(const MissingAtom&, const MissingAtom&) = default;
};

/// The atoms that PDB2PQR says to be missing in `file`, each once, from all that it printed.
std::vector<MissingAtom> missing_atoms(std::string_view printed, const Pdb2pqrInput& input, std::size_t file);

/// The structure with PDB2PQR's charges, radii, hydrogens and built atoms, under its own names: `outputs` are
/// its PQR files, one for each text. An atom that PDB2PQR did not move keeps its position to the last digit.
/// Warnings name what was left out, what has no charges and what was built. O(atoms).
Structure charged_structure(const Structure& structure, const Pdb2pqrInput& input,
                            std::span<const Structure> outputs, std::span<const MissingAtom> built,
                            LossReport losses = LossReport::warnings);

/// "12 atoms, first C8 of G 3 A".
std::string list_of(std::span<const MissingAtom> atoms, const Structure& structure,
                    const Pdb2pqrInput& input);

}  // namespace ionwell
