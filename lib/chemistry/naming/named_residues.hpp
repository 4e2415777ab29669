// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "chemistry/perception/chemistry.hpp"

/// What a program's files call the residues and atoms of a structure that has its hydrogens.
namespace ionwell {

/// A residue as it is written.
struct NamedResidue {
  // What it is for the program; nullptr: it has no template, and keeps the names that it has.
  const ResidueTemplate* as = nullptr;
  std::vector<Label> atoms;  // names, by atom of the residue
  std::vector<Label> lacks;  // hydrogens that the program has to build, by its names
};

struct NamedResidues {
  Chemistry chemistry;
  std::vector<NamedResidue> residues;  // by residue of the chemistry
};

/// Whose names are requested, and what the program knows besides the table.
struct NamingChoice {
  NamingScheme scheme = NamingScheme::amber;
  std::string_view program;                                  // for messages: "LEaP's force fields"
  std::function<bool(std::string_view residue)> knows = {};  // by a file of the user; empty: nothing
  std::span<const RecordedBond> links = {};  // between residues, beside those that distances show
  std::string_view remedy = "or give the file of a ligand for that program with --ligand";
  // Whether the program has a residue; empty: where it has a name in the scheme.
  std::function<bool(const ResidueTemplate& residue)> has = {};
};

/// Throws Error for residues of chains that are no ends, where a chain ends: what was bound to them is not
/// there.
void check_ends(std::span<const Atom> atoms, const NamedResidues& named, std::string_view program);

/// Names each residue as the program has it: the variant and the ends that its atoms show, CYX where there is
/// a disulfide. Waters, lipids and what the program knows by a file of the user keep their names. Throws
/// Error, with residues and remedies, for residues and atoms that the program does not have, heavy atoms that
/// are missing, and bonds between residues that it has no name for. O(atoms).
NamedResidues named_residues(std::span<const Atom> atoms, const NamingChoice& choice);

}  // namespace ionwell
