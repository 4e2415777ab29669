#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "ionwell/output/system_output.hpp"
#include "run/read_input.hpp"
#include "solvation/water_tiles.hpp"

/// The files of a solute in the cell that ionwell made, with water and perhaps ions.
namespace ionwell {

struct SolvatedParts {
  std::span<const Atom> solute;              // what was in the files, where it now is
  std::vector<std::uint8_t> is_in_solute{};  // by atom of the files: the others were left out; empty: all are
  std::vector<AtomRange> replaced{};         // waters of it that ions took the places of
  std::vector<EngineIon> ions{};
  const Waters& waters;
  UnitCell cell;
  std::vector<std::string> remarks{};  // one paragraph each
};

/// Adds the file, solute before ions before water, or those of an engine's folder. The water of a file is
/// made while it is written, that of a folder all at once. `progress` gets the part that is done.
void add_solvated_files(const SystemOutput& output, const Input& input, const InputOptions& options,
                        const SolvatedParts& parts, OutputFiles& files, int threads,
                        const std::function<void(double)>& progress);

}  // namespace ionwell
