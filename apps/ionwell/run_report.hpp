#pragma once

#include <string>
#include <vector>

#include "files/output_file.hpp"
#include "gpu/backend.hpp"
#include "maps/map_unit.hpp"
#include "run/report.hpp"
#include "run/solver.hpp"
#include "run/stages.hpp"

/// What place and map record of a run, from its start to its end.
namespace ionwell {

/// A report of what is known before anything is computed, with a warning for a temperature that cannot be
/// meant. `words` are those after the command's name.
RunReport start_report(const std::string& command, const std::vector<std::string>& words,
                       const Structure& structure, const LatticeGeometry& lattice,
                       const ElectrostaticsOptions& electrostatics, const SolverOptions& solver,
                       const BackendChoice& backend, const FieldOptions& field);

/// Adds warnings to the report and shows them on standard error, also with --quiet.
void warn(RunReport& report, const std::vector<std::string>& warnings);

/// Warns when other programs will show a map of the run's lattice, written under this name, beside its place.
void warn_of_placement(RunReport& report, const std::string& map);

/// Adds times and memory.
void finish_report(RunReport& report, const Stages& stages);

/// What the run's potential is without ions, for the provenance of a map.
std::string solute_potential(const RunReport& report);

/// Writes the field's values as a map that says what it is and how it was made; the caller commits.
void write_field(OutputFile& file, PotentialField& field, const RunReport& report, MapUnit unit,
                 const std::string& what, const Progress& progress);

/// The run's protocol on the terminal, before it is computed.
void print_plan(std::ostream& out, const RunReport& report, const BackendChoice& backend);

void print_times(std::ostream& out, const RunReport& report);

}  // namespace ionwell
