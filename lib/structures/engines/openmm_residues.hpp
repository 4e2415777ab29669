// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/structure.hpp"
#include "structures/molecules/atom_links.hpp"

namespace ionwell {

/// Residues of a force field for OpenMM (.xml), each with a number of its own, and bonds within them.
struct OpenmmResidues {
  std::vector<Atom> atoms;
  std::vector<AtomLink> bonds;
  std::set<std::string, std::less<>> uncharged;  // names of residues of which an atom has no charge
};

/// Reads the templates of the element Residues. The charge of an atom is its own, or that of its type in
/// NonbondedForce; elements are those of AtomTypes. Bonds to other residues are left out. Throws Error,
/// with path and line, for what is no force field, for virtual sites, and for what it cannot understand.
OpenmmResidues read_openmm_residues(std::string_view text, const std::string& path);

}  // namespace ionwell
