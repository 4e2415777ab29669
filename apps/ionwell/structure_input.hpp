#pragma once

#include <ostream>

#include "cli/command_line.hpp"
#include "input/read_input.hpp"

/// How a command reads its structure, and what it says of it.
namespace ionwell {

/// What help and messages call the files by position.
inline constexpr const char* structure_files = "STRUCTURE [COORDINATES]";

/// What the help of every command says of them.
inline constexpr const char* about_structure_files =
    "STRUCTURE is a PQR, mol2 or GROMACS .tpr file, a PDB or mmCIF file (PDB2PQR gives it charges), or a "
    "topology "
    "(PSF, AMBER prmtop, GROMACS .top) followed by its COORDINATES (PDB, .gro, CRD, rst7, DCD, XTC, TRR, "
    "NetCDF, "
    "NAMD's .coor with or without .xsc ...); all of them also gzipped.";

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

/// The texts are for a command that needs charges, or not, as arguments.options has it.
void add_structure_options(OptionGroup& group, StructureArguments& arguments,
                           WaterChoices choices = WaterChoices::without_replace);

/// Those of them that are of a GROMACS topology.
void add_topology_options(OptionGroup& group, StructureArguments& arguments);

/// Reads it; on a terminal PDB2PQR's seconds are shown by `progress`.
Input read_structure_files(const StructureArguments& arguments);

/// How a run uses a structure's cell and its waters.
enum class CellUse {
  unused,
  distances,  // its images keep ions away
  images,     // and are in the potential
  open,       // ions replace its waters, without images
  periodic,   // with images
  made        // waters stay in another cell, which the run makes
};

/// The structure's file, size and charge, and a row for each kind of residue in it.
void print_structure_kinds(std::ostream& out, const Structure& structure, CellUse use = CellUse::unused);

/// The same, and the cell.
void print_structure(std::ostream& out, const Structure& structure, CellUse use = CellUse::unused);

/// Where another cell is made: a row that says of the structure's own that it is a crystal's, or may be.
void print_own_cell(std::ostream& out, const Structure& structure);

}  // namespace ionwell
