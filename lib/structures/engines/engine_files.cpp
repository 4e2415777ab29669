#include "structures/engines/engine_files.hpp"

#include "structures/engines/amber_files.hpp"
#include "structures/engines/charmm_files.hpp"
#include "structures/engines/gromacs_files.hpp"
#include "structures/engines/openmm_files.hpp"
#include "structures/engines/vmd_files.hpp"

namespace ionwell {

std::vector<EngineFile> engine_files(Engine engine, const EngineSystem& system) {
  switch (engine) {
    case Engine::gromacs:
      return gromacs_files(system);
    case Engine::amber:
      return amber_files(system);
    case Engine::charmm:
      return charmm_files(system);
    case Engine::openmm:
      return openmm_files(system);
    case Engine::vmd:
      return vmd_files(system);
  }
  return {};
}

}  // namespace ionwell
