// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/chemistry/ion_table.hpp"
#include "files/output_files.hpp"
#include "solvation/water_model.hpp"
#include "structures/engines/engine_files.hpp"
#include "structures/writers/system_file.hpp"

/// Where a system is written to: one file, or a folder that an engine takes as it is.
namespace ionwell {

struct SystemOutput {
  std::string path;              // a file, or the folder of an engine
  std::optional<Engine> engine;  // makes it a folder
  IonNaming naming = IonNaming::pdb;
  std::optional<WaterNames> water_names;  // of waters that are added
  PdbSerials serials = PdbSerials::wrapped;
  std::string force_field = "amber99sb-ildn";  // of GROMACS's, where a topology is made for an entry
  bool with_solute = false;                    // beside ions on a lattice; all else is written in any case

  /// The file, for check_outputs and OutputFiles: none where it is a folder.
  std::optional<std::string> file() const;
  /// The folder, for NewFolder: empty where it is a file.
  std::string folder() const { return engine ? path : std::string(); }
  /// The names of ions: those that are requested, or those that the engine's scripts write. GROMACS has them
  /// from its topology.
  IonNaming names_of_ions() const;
  /// The names of added waters in that file, or in that folder.
  WaterNames names_of_waters() const;
};

/// Throws UsageError for a path that is missing (`what` goes there: "the ions go"), for an ending of no known
/// format, and for what --for cannot be joined with: standard output, the name of a file, names.
void validate(const SystemOutput& output, const std::string& what);

/// Adds the files of an engine's folder.
void add_engine_files(Engine engine, const std::string& folder, const EngineSystem& system,
                      OutputFiles& files);

}  // namespace ionwell
