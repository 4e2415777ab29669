// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "input/read_input.hpp"
#include "jobs/box/prepare.hpp"
#include "output/system_output.hpp"
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

/// What `solvate` made of the structure that was read, and `prepare_box` and a run of what was; refer to
/// these.
SolvatedParts solvated_parts(const Input& input, const Solvation& solvation);
SolvatedParts prepared_parts(const PreparedBox& prepared, const RemainingBox& remaining,
                             const Result& result);

/// All atoms in the order of a file, ions under the names of the convention and waters under those of the
/// PDB. O(atoms).
std::vector<Atom> system_atoms(const Input& input, const SolvatedParts& parts, IonNaming naming);

/// Adds the file, solute before ions before water, or those of an engine's folder. The water of a file is
/// made while it is written, that of a folder all at once. `progress` gets the part that is done.
void add_solvated_files(const SystemOutput& output, const Input& input, const InputOptions& options,
                        const SolvatedParts& parts, OutputFiles& files, int threads,
                        const std::function<void(double)>& progress);

}  // namespace ionwell
