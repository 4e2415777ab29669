// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/structure.hpp"
#include "structures/molecules/atom_links.hpp"

namespace ionwell {

/// Residues of a topology of CHARMM's, each with charges, and bonds of all of them.
struct CharmmResidues {
  std::vector<Atom> atoms;
  std::vector<AtomLink> bonds;
};

/// Reads the RESI entries of a topology (.rtf), or of a stream file that has one before its parameters (.str,
/// as CGenFF writes it). Patches (PRES), and bonds to atoms of other residues, are left out. Throws Error,
/// with path and line, for what it cannot understand, and where there is no residue.
CharmmResidues read_charmm_residues(std::string_view text, const std::string& path);

}  // namespace ionwell
