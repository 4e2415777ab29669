// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "chemistry/perception/chemistry.hpp"

namespace ionwell {

/// Files of CHARMM36 with topologies, in the order in which psfgen reads them: what a later one is built on
/// comes first.
enum class CharmmTopology {
  protein,
  nucleic_acid,
  lipid,
  cgenff,
  modified_rna,    // of cgenff's atoms
  phosphorylated,  // amino acids, of the nucleic acids' atoms
  water_and_ions,
  other_ions
};

/// Below the folder of all: "stream/misc/toppar_ions_won.str".
std::string_view path_of(CharmmTopology topology);

/// The files that a residue needs. `residue` may be nullptr: only waters and lipids need one then.
std::vector<CharmmTopology> topologies_of(ResidueRole role, const ResidueTemplate* residue);

/// The file that has an ion of one atom, by CHARMM's name.
CharmmTopology topology_of_ion(std::string_view charmm_name);

/// Lines of Tcl that read these files from the folder TOPPAR or its folder `stream`, and stop where one is
/// missing.
std::string topology_lines(std::span<const std::string> paths);

}  // namespace ionwell
