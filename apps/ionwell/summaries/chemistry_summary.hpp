#pragma once

#include <ostream>
#include <span>
#include <string>

#include "input/read_input.hpp"

namespace ionwell {

/// Rows for the chemistry of an entry of the PDB, before PDB2PQR runs: chains, and what is not plain with
/// what these options decide of it, of which ten lines. Nothing for files of other formats. Reads the file,
/// so it must not be a pipe.
void print_chemistry(std::ostream& out, const std::string& path, const InputOptions& options);

/// The table "chemistry" of a run: ten rows, and how many more there are. Nothing where there are none.
void print_decisions(std::ostream& out, std::span<const ChemistryRow> rows);

}  // namespace ionwell
