// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cli/command_line.hpp"
#include "input/read_input.hpp"

/// How a command reads its structure.
namespace ionwell {

/// What help and messages call the files by position.
inline constexpr const char* structure_files = "STRUCTURE [COORDINATES]";

/// What the help of every command says of them.
inline constexpr const char* about_structure_files =
    "STRUCTURE is a PQR, mol2 or GROMACS .tpr file, a PDB or mmCIF file (PDB2PQR assigns its charges), or a "
    "topology (PSF, AMBER prmtop, GROMACS .top) followed by its COORDINATES (PDB, .gro, CRD, rst7, DCD, "
    "XTC, TRR, NetCDF, or NAMD's .coor with or without .xsc). All may be gzipped.";

constexpr std::size_t most_structure_files = 3;

/// What a structure is read from, and how.
struct StructureArguments {
  std::vector<std::string> files;
  InputOptions options;

  /// What messages call it.
  const std::string& path() const { return files.front(); }
};

/// What waters of the files can be: solute or nothing; also places for ions; or those of a crystal, which
/// stay when water is added.
enum class WaterChoices { without_replace, with_replace, crystal };

/// Under the headings "Structure" and "Protonation and charges". The texts are for a command that needs
/// charges, or not, as arguments.options has it.
void add_structure_options(CommandLine& line, StructureArguments& arguments,
                           WaterChoices choices = WaterChoices::without_replace);

/// Those of them that are of a GROMACS topology.
void add_topology_options(OptionGroup& group, StructureArguments& arguments);

}  // namespace ionwell
