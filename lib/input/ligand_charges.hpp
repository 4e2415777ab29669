#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/structure.hpp"

namespace ionwell {

/// Charges of residues by name, from files of the user.
class LigandCharges {
 public:
  LigandCharges() = default;

  /// Reads mol2 files, whose residues give charges to all residues of the same name. Throws Error for
  /// two of one name, and as read_mol2.
  explicit LigandCharges(std::span<const std::string> paths);

  bool has(std::string_view residue) const { return ligands_.contains(std::string(residue)); }

  /// The residue with charges and radii. The charge of a hydrogen that it lacks goes to the heavy atom
  /// nearest to that hydrogen in the file. Throws Error where heavy atoms differ. O(atoms^2).
  std::vector<Atom> charged(std::span<const Atom> residue) const;

  /// For each residue of the files that is nowhere among the atoms, a warning that names its file.
  std::vector<std::string> unused_warnings(std::span<const Atom> atoms) const;

  /// "lig.mol2": where the charges of a residue are from.
  const std::string& path_of(std::string_view residue) const;

 private:
  struct Ligand {
    std::string path;
    std::vector<Atom> atoms;
  };
  std::map<std::string, Ligand> ligands_;
};

}  // namespace ionwell
