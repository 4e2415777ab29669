// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/structure.hpp"
#include "structures/molecules/atom_links.hpp"

/// Systems as GROMACS describes them: kinds of molecules, and how many of each follow one another.
namespace ionwell {

/// A `[ moleculetype ]`.
struct GromacsMoleculeType {
  std::string name;
  std::vector<Atom> atoms;      // at (0, 0, 0); virtual sites are among them
  std::vector<AtomLink> bonds;  // and constraints
  double net_charge_e = 0.0;
  std::string path;  // where it is defined
  std::int64_t line = 0;

  /// An ion of one atom, whose residue and name are those of the force field.
  bool is_ion() const { return atoms.size() == 1 && net_charge_e != 0.0; }
};

/// A line of `[ molecules ]`.
struct GromacsMoleculeEntry {
  std::size_t type = 0;  // index of its molecule type
  std::int64_t count = 0;
  std::string path;
  std::int64_t line = 0;
};

/// All atoms, molecule after molecule. Molecules of one residue are numbered on from the highest number of
/// the others, as GROMACS numbers them in the files that it writes. The last atom of a molecule ends its
/// chain where the molecule has several residues, or one of a protein or nucleic acid. `types` must have
/// atoms; O(atoms).
std::vector<Atom> expand_molecules(const std::vector<GromacsMoleculeType>& types,
                                   const std::vector<GromacsMoleculeEntry>& entries);

/// The bonds of those atoms that are between residues.
std::vector<AtomLink> expand_links(const std::vector<GromacsMoleculeType>& types,
                                   const std::vector<GromacsMoleculeEntry>& entries);

/// "A" for Protein_chain_A, as `gmx pdb2gmx` names the molecules that it makes of chains; else empty.
std::string_view chain_of_molecule(std::string_view name);

}  // namespace ionwell
