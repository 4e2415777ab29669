// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <set>
#include <string>
#include <vector>

#include "core/structure.hpp"
#include "structures/engines/engine_ligand.hpp"
#include "structures/molecules/atom_links.hpp"

namespace ionwell {

/// What a file for --ligand says.
struct LigandFile {
  std::vector<Atom> atoms;
  std::vector<AtomLink> bonds;  // those of hydrogens at least; without positions only
  bool has_positions = false;
  bool is_topology = false;                      // which may be that of a whole system
  bool has_only_parameters = false;              // of a force field: no atoms
  std::set<std::string, std::less<>> uncharged;  // names of residues whose charges another file has to give
  bool is_whole = false;  // its engine needs all atoms, in this order: missing hydrogens are to be built
  std::vector<std::string> warnings;  // of its charges
};

/// Reads a mol2 file, a file for LEaP (.lib, .off, .frcmod), psfgen (.rtf, .str, .prm) or OpenMM (.xml), or a
/// topology: AMBER's (prmtop), a PSF, or one of GROMACS (.top: its [ molecules ]; .itp: all that it defines).
/// The format is detected from the content, and the file may be gzipped. Of `engines` depends whether an .itp
/// is whole. Throws Error for other formats, and as their readers.
LigandFile read_ligand_file(const std::string& path, const std::vector<LigandsOf>& engines = {});

}  // namespace ionwell
