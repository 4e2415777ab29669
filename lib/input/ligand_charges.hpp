// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/structure.hpp"
#include "input/ligand_file.hpp"

namespace ionwell {

/// The name of an atom's component: programs write LIG1 for the first LIG, and the PDB has names of three
/// letters.
std::string component_name(const Atom& atom);

/// Charges of residues by name, from files of the user.
class LigandCharges {
 public:
  LigandCharges() = default;

  /// Reads files, whose residues give charges to all residues of the same name in `entry`. Of a topology with
  /// residues of several names, amino acids, nucleotides, water and ions do not count: PDB2PQR knows those.
  /// Throws Error for a file with no residue of the entry, for a residue that two files have or that differs
  /// within a file, and as read_ligand_file. A file for an engine that has no charges gets those of another.
  LigandCharges(std::span<const std::string> paths, std::span<const Atom> entry,
                const std::vector<LigandsOf>& engines = {});

  bool has(std::string_view residue) const { return ligands_.contains(std::string(residue)); }

  /// The residue with charges and radii. The charge of a hydrogen that it lacks goes to its heavy atom: by
  /// the bonds of a topology; in a mol2 file, the nearest. For OpenMM and GROMACS, whose files are for whole
  /// residues, it is built, and atoms are in the order of the file. Throws Error where heavy atoms differ.
  /// O(atoms^2).
  std::vector<Atom> charged(std::span<const Atom> residue) const;

  /// What the readers had to decide, and residues whose charges do not add up to an integer; ready to show.
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  struct Ligand {
    std::string path;
    std::size_t file = 0;  // its number among the paths
    std::vector<Atom> atoms;
    std::vector<std::size_t> carriers;  // of each hydrogen the heavy atom; the number of atoms: none
    bool is_whole = false;              // its engine needs all atoms
    std::vector<std::pair<std::size_t, std::size_t>> bonds = {};  // where it is
  };

  void add(std::string_view name, const Ligand& ligand);
  void take_charges(std::string_view name, Ligand template_of);
  static std::vector<Atom> whole(const Ligand& ligand, std::span<const Atom> residue,
                                 const std::vector<std::size_t>& place);

  std::map<std::string, Ligand> ligands_;
  std::vector<std::string> warnings_;
};

}  // namespace ionwell
