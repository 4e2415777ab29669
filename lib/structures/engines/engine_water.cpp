#include "structures/engines/engine_water.hpp"

#include <algorithm>
#include <iterator>
#include <string>

#include "core/error.hpp"

namespace ionwell {
namespace {

// AmberTools 23, dat/leap/cmd; OpenMM 8.1, openmm/app/data (7.7 lacks opc.xml); CHARMM36's
// toppar_water_ions.str, July 2022.
constexpr EngineWater waters[] = {
    {"tip3p", "tip3p", "amber14/tip3p.xml", "charmm36/water.xml", true},
    {"tips3p", "", "", "charmm36/water.xml", true},
    {"spce", "spce", "amber14/spce.xml", "charmm36/spce.xml"},
    {"opc", "opc", "amber14/opc.xml", ""},
    {"tip4pew", "tip4pew", "amber14/tip4pew.xml", "charmm36/tip4pew.xml"},
    {"tip4p2005", "", "", "charmm36/tip4p2005.xml"},
    {"tip5p", "", "", "charmm36/tip5p.xml"},
};

bool has_water(Engine engine, const EngineWater& water) {
  switch (engine) {
    case Engine::amber:
      return !water.leaprc.empty();
    case Engine::charmm:
      return water.in_charmm;
    case Engine::openmm:
      return !water.openmm_amber.empty() || !water.openmm_charmm.empty();
    case Engine::gromacs:
    case Engine::vmd:
      break;
  }
  return true;
}

std::string_view force_field_files(Engine engine) {
  return engine == Engine::amber    ? "AMBER's leaprc files"
         : engine == Engine::charmm ? "CHARMM's toppar_water_ions.str"
                                    : "OpenMM's force fields";
}

}  // namespace

const EngineWater& engine_water(std::string_view model) {
  const auto* const found = std::find_if(std::begin(waters), std::end(waters),
                                         [&](const EngineWater& w) { return w.model == model; });
  return found == std::end(waters) ? waters[0] : *found;
}

void check_engine_water(Engine engine, std::string_view model) {
  if (has_water(engine, engine_water(model))) return;
  std::string others;
  for (const EngineWater& water : waters)
    if (has_water(engine, water)) others.append(others.empty() ? "" : ", ").append(water.model);
  fail<UsageError>("--water-model is ", model, ", which ", force_field_files(engine),
                   " do not have; take one that they have (", others, "), or another --for");
}

}  // namespace ionwell
