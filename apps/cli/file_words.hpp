// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cli/option_words.hpp"
#include "solvation/water_model.hpp"
#include "structures/engines/engine_files.hpp"
#include "structures/writers/system_file.hpp"

/// The words of options about files that are written.
namespace ionwell {

inline OptionWords<Engine> engine_words() {
  return {{"gromacs", Engine::gromacs},
          {"amber", Engine::amber},
          {"charmm", Engine::charmm},
          {"openmm", Engine::openmm},
          {"vmd", Engine::vmd}};
}

inline OptionWords<WaterNames> water_names_words() {
  return {{"gromacs", WaterNames::gromacs},
          {"amber", WaterNames::amber},
          {"charmm", WaterNames::charmm},
          {"pdb", WaterNames::pdb}};
}

inline OptionWords<PdbSerials> pdb_serials_words() {
  return {{"wrapped", PdbSerials::wrapped}, {"hex", PdbSerials::hex}, {"hybrid36", PdbSerials::hybrid36}};
}

}  // namespace ionwell
