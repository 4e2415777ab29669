#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/outputs.hpp"
#include "input/read_input.hpp"
#include "ionwell/output/hydrated_atoms.hpp"
#include "jobs/place/job/result.hpp"
#include "output/result_ions.hpp"
#include "output/system_output.hpp"
#include "structures/engines/engine_files.hpp"

/// The files of placed ions, alone or with all that is around them.
namespace ionwell {

/// The bytes of the file, also of one beside it for ions placed so far.
std::string placed_file(const SystemOutput& output, const Input& input, const Result& result,
                        HydratedAs written_as = HydratedAs::waters);

/// Whether that file has the cell: with all that is in it, or with the solute.
bool has_cell(const SystemOutput& output, const Result& result);

/// What an engine's folder is made of: without ignored atoms, unless a topology that goes there has them.
/// `waters` are those around ions, and must outlive it.
EngineSystem engine_system(Engine engine, const Input& input, const InputOptions& options,
                           const Result& result, std::span<const Atom> waters);

/// A warning about ignored atoms that are in the folder all the same, because its topology has them.
std::vector<std::string> topology_warnings(Engine engine, const Input& input);

/// Adds the file, or those of the folder.
void add_placed_files(const SystemOutput& output, const Input& input, const InputOptions& options,
                      const Result& result, HydratedAs written_as, OutputFiles& files);

/// Saves the ions of a run that cannot go on, in a file named after the output: ions.pdb, ions.partial.pdb.
/// Gives the end of the run's message, which says where; nothing without ions.
std::string save_partial(const SystemOutput& output, const Input& input, const Result& result);

}  // namespace ionwell
