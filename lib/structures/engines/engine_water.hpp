// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

#include "structures/engines/engine_files.hpp"

namespace ionwell {

/// What the engines' own files call a model of water. Empty where an engine has no file for it.
struct EngineWater {
  std::string_view model;          // as EngineSystem::water_model has it
  std::string_view leaprc;         // of AmberTools 23: leaprc.water.<this>
  std::string_view openmm_amber;   // beside amber14-all.xml, with the ions that go with this water
  std::string_view openmm_charmm;  // beside charmm36.xml, likewise
  bool in_charmm = false;          // as TIP3 of toppar_water_ions.str
};

/// Of a system's water; TIP3P where it does not say which that is.
const EngineWater& engine_water(std::string_view model);

/// Throws UsageError where the engine has no file for this water, with those that it has. GROMACS's topology
/// says which water it has, see engine_files; VMD draws any.
void check_engine_water(Engine engine, std::string_view model);

/// The atoms, with waters under the names that AMBER's, CHARMM's or OpenMM's own files have, without which
/// LEaP and psfgen stop, and OpenMM knows no bonds in them. CHARMM's are those of three sites. O(atoms).
std::vector<Atom> with_engine_waters(std::span<const Atom> atoms, Engine engine);

}  // namespace ionwell
