// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "structures/engines/engine_ligand.hpp"

namespace ionwell {

/// Those of the files that an engine reads: mol2, LEaP's, psfgen's, OpenMM's, and GROMACS's .itp for a folder
/// of it. The others are topologies, which only give charges. Throws UsageError for files of a program that
/// no folder is written for (`engine`), and as the readers.
std::vector<EngineLigand> ligands_for_engines(const std::vector<std::string>& paths,
                                              const std::vector<LigandsOf>& engines);

/// Throws Error for a file whose residues are none of these atoms', and for one that has other atoms than a
/// residue of that name; hydrogens may be missing there.
void check_ligand_residues(const std::vector<EngineLigand>& ligands, std::span<const Atom> atoms);

}  // namespace ionwell
