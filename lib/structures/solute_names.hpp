// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

#include "core/structure.hpp"

namespace ionwell {

/// What the PDB calls an atom and its residue.
struct PdbName {
  std::string_view residue, atom;
};

/// The PDB's names (version 3) for a nucleotide as PDB2PQR names it, with or without --ffout=AMBER: RG, RG5
/// and RG3 are G, H2'' of a ribose is HO2', H5T is HO5'. OpenMM takes no other. All else keeps its names.
PdbName pdb_name(const Atom& atom);

}  // namespace ionwell
