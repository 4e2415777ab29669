// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/vec3.hpp"

namespace ionwell {

/// A site of a rigid water, in the molecule's own frame: the oxygen at the origin, x along the bisector
/// towards the hydrogens, y in their plane towards the first one.
struct WaterSite {
  Vec3<double> position_A;
  double charge_e = 0.0;
};

/// A rigid water with three to five sites: O, H, H, then M or the two lone pairs.
struct WaterModel {
  std::string_view name;       // as the command line has it: tip3p
  std::string_view full_name;  // TIP3P
  double oh_A = 0.0, hoh_deg = 0.0;
  double extra_A = 0.0;  // of M from the oxygen, along the bisector, or of a lone pair
  double hydrogen_e = 0.0;
  std::size_t sites = 3;
  double density_g_cm3 = 0.0;  // at 298 K and 1 bar, as published
  std::string_view source;

  /// `sites` of them.
  std::vector<WaterSite> geometry() const;
};

/// All that are known.
std::span<const WaterModel> water_models();

/// By the name of the command line, in any case, with or without its dashes and slashes (TIP4P/2005). Throws
/// UsageError for another, with the nearest.
const WaterModel& water_model(std::string_view name);

/// Whose names waters get.
enum class WaterNames { gromacs, amber, charmm, pdb };

/// What files call a water: the residue, and an atom for each site of the model.
struct NamedWater {
  std::string_view residue;
  std::array<std::string_view, 5> atoms;
};

/// As GROMACS's, AMBER's (LEaP) and CHARMM's libraries have it; those of the PDB are OpenMM's too, also for
/// its copies of AMBER's force fields.
NamedWater named_water(const WaterModel& model, WaterNames names);

}  // namespace ionwell
