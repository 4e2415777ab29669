// SPDX-License-Identifier: BSD-3-Clause
#include "output/system_output.hpp"

#include <filesystem>

#include "core/error.hpp"
#include "files/output_file.hpp"
#include "solvation/written_waters.hpp"

namespace ionwell {

std::optional<std::string> SystemOutput::file() const {
  return engine ? std::nullopt : std::optional(path);
}

IonNaming SystemOutput::names_of_ions() const {
  if (!engine) return naming;
  switch (*engine) {
    case Engine::amber:
      return IonNaming::amber;
    case Engine::charmm:
    case Engine::vmd:
      return IonNaming::charmm;
    case Engine::gromacs:
    case Engine::openmm:
      break;
  }
  return IonNaming::pdb;
}

WaterNames SystemOutput::names_of_waters() const {
  if (!engine) return water_names.value_or(usual_water_names(system_format(path)));
  switch (*engine) {
    case Engine::gromacs:
      return WaterNames::gromacs;
    case Engine::amber:
      return WaterNames::amber;
    case Engine::charmm:
      return WaterNames::charmm;
    case Engine::openmm:
    case Engine::vmd:
      break;
  }
  return WaterNames::pdb;
}

void validate(const SystemOutput& output, const std::string& what) {
  if (output.path.empty()) fail<UsageError>("-o is missing; name the file ", what);
  if (!output.engine) {
    system_format(output.path);
    return;
  }
  if (is_standard_output(output.path))
    fail<UsageError>("--for writes a folder, but -o is -; name the folder");
  if (is_system_name(output.path))
    fail<UsageError>("--for writes a folder, but -o ", output.path,
                     " is the name of a file; name the folder, or leave --for out (also from the preset)");
  if (output.with_solute || output.naming != IonNaming::pdb || output.water_names ||
      output.serials != PdbSerials::wrapped)
    fail<UsageError>("--for sets the names that its program needs; leave ",
                     output.with_solute                ? "--with-solute"
                     : output.naming != IonNaming::pdb ? "--ion-names"
                     : output.water_names              ? "--water-names"
                                                       : "--pdb-serials",
                     " out");
}

void add_engine_files(Engine engine, const std::string& folder, const EngineSystem& system,
                      OutputFiles& files) {
  for (const EngineFile& file : engine_files(engine, system)) {
    files.make_folders(folder, file.name);
    files.add((std::filesystem::path(folder) / file.name).string()).write(file.text);
  }
}

}  // namespace ionwell
