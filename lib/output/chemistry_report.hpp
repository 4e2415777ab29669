#pragma once

#include <span>
#include <string>

#include "input/chemistry_row.hpp"
#include "structures/engines/engine_files.hpp"

namespace ionwell {

/// A JSON report with the table "chemistry", all of it: residue, what was decided, why, and the option that
/// decides otherwise. Without rows the report stays as it is.
std::string with_chemistry(const std::string& report, std::span<const ChemistryRow> rows);

/// Throws Error, with what to do instead, where a folder for GROMACS or OpenMM would have the chemistry
/// wrong: disulfides, gaps, and residues whose names or charges it cannot have yet.
void check_folder_chemistry(Engine engine, std::span<const ChemistryRow> rows);

}  // namespace ionwell
