// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "structures/engines/engine_ligand.hpp"

namespace ionwell {

/// Molecules of one residue by the user's files (.itp), for a topology that pdb2gmx makes without them.
class GromacsLigands {
 public:
  struct File {
    std::string name, text;
  };

  /// Of the files those for GROMACS. Throws Error for one of a whole system ([ defaults ], [ molecules ]),
  /// and as the reader of topologies.
  explicit GromacsLigands(const std::vector<EngineLigand>& ligands);

  bool empty() const { return ligands_.empty(); }
  bool has(std::string_view residue) const { return has_residue(ligands_, residue); }

  /// The topology of a system with these molecules in front of its water: parameters after the force
  /// field's, as GROMACS wants those of all molecules before the first, definitions in front of [ system ].
  /// `atoms`: of the molecules, in the order of their files.
  std::string with_molecules(std::string_view topology, std::span<const Atom> atoms) const;

  /// What that includes, for the folder of the topology.
  const std::vector<File>& files() const { return files_; }

 private:
  struct Molecule {
    std::string name;
    Label residue;
    std::size_t atoms = 0;
  };

  void add(const EngineLigand& ligand);
  void add_file(const std::string& name, const std::string& text, std::string& includes);
  std::string with_own_includes(std::string_view text, const std::string& path);
  std::string molecule_lines(std::span<const Atom> atoms) const;

  std::vector<EngineLigand> ligands_;
  std::vector<Molecule> molecules_;
  std::vector<File> files_;
  std::set<std::string> included_;        // by the files, themselves or in turn
  std::string parameters_, definitions_;  // lines that include files_
};

}  // namespace ionwell
