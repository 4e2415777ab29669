// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "chemistry/force_field_files.hpp"

/// Folders for AMBER and CHARMM, read as LEaP and psfgen read them: by plain code of the tests.
namespace ionwell::test {

struct WrittenAtom {
  double x = 0.0, y = 0.0, z = 0.0;
};

/// A residue under the name by which the program looks it up in its library.
struct WrittenResidue {
  std::string unit;  // of LEaP, or a residue of CHARMM
  std::vector<std::pair<std::string, char>>
      patches;        // of CHARMM; which of the patch's residues it is: '1', '2' ...
  std::string place;  // "solute.pdb 5", "segment_A.pdb 12"
  std::size_t piece = 0;
  std::map<std::string, WrittenAtom> atoms;
};

/// A bond that the script makes: residues by their number in the list.
struct WrittenBond {
  std::size_t first = 0, second = 0;
  std::string first_atom, second_atom;
};

struct WrittenFolder {
  std::vector<WrittenResidue> residues;
  std::vector<WrittenBond> bonds;
  std::vector<std::string>
      faults;  // two atoms of one name in a residue, what the script names and nothing has
};

using FolderFiles = std::map<std::string, std::string>;  // text by name

/// What loadPdb makes of the files: the ends of addPdbResMap, units that are copies, and `bond`.
WrittenFolder read_leap_folder(const FolderFiles& files);
/// What `segment`, `first`, `last` and `patch` make of the files; patches of two residues are bonds of
/// sulfurs.
WrittenFolder read_psfgen_folder(const FolderFiles& files);

/// What a library has under a residue's name, with its patches; empty where it lacks that.
using UnitOf = std::function<LibraryResidue(const WrittenResidue&)>;

struct FolderCheck {
  std::vector<std::string> faults;
  double charge_e = 0.0;                          // of all residues, by the library
  std::map<std::size_t, double> piece_charges_e;  // by piece
  std::size_t residues = 0, bonds = 0;
};

/// Each atom is one of its unit, each heavy atom of the unit is there, and bonds have the lengths of bonds,
/// those between neighbours of a chain too.
FolderCheck check_folder(const WrittenFolder& folder, const UnitOf& unit_of);

}  // namespace ionwell::test
