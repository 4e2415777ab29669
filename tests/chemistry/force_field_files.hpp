// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

/// Residues as the libraries of AMBER, CHARMM and GROMACS have them, read by plain code of the tests.
namespace ionwell::test {

/// A residue of a force field; or a patch of CHARMM, with what it deletes.
struct LibraryResidue {
  std::map<std::string, double> charges_e;              // by atom
  std::set<std::pair<std::string, std::string>> bonds;  // each with the lesser name first
  std::vector<std::string> deleted;

  void bond(std::string a, std::string b) { bonds.insert(std::minmax(a, b)); }
  double charge_e() const;
};

using Library = std::map<std::string, LibraryResidue>;

/// The text of a file, perhaps compressed by gzip.
std::string text_of_file(const std::string& path);

/// An AMBER .lib file, perhaps compressed by gzip.
Library read_leap_library(const std::string& path);

/// A CHARMM topology or stream file: residues and patches.
Library read_charmm_topology(const std::string& path);

/// A GROMACS .rtp file.
Library read_gromacs_residues(const std::string& path);

/// The residue after a patch, where it is residue `which` of those that the patch is for (2CB).
LibraryResidue patched(LibraryResidue residue, const LibraryResidue& patch, char which = '1');

}  // namespace ionwell::test
