// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <ostream>

#include "core/structure.hpp"

/// What a command says of its structure on the terminal.
namespace ionwell {

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
