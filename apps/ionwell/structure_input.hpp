#pragma once

#include <ostream>

#include "cli/command_line.hpp"
#include "structures/read_structure.hpp"

/// How a command reads its structure, and what it says of it.
namespace ionwell {

void add_structure_options(OptionGroup& group, ReadOptions& options);

/// The structure's file, size and charge, a row for each kind of residue in it, and the cell.
void print_structure(std::ostream& out, const Structure& structure);

}  // namespace ionwell
