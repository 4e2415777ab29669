// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/unit_cell.hpp"
#include "solvation/ions/box_options.hpp"
#include "solvation/ions/box_waters.hpp"

namespace ionwell {

struct Result;
struct Solvation;

/// What became of a box whose waters ions replaced.
struct BoxResult {
  Boundary boundary = Boundary::periodic;
  std::optional<UnitCell> cell;
  double volume_A3 = 0.0;  // of the cell; 0 where there is none
  bool waters_act = false;
  double charge_e = 0.0;            // of all that was in it
  std::int64_t waters = 0;          // before
  std::vector<std::int64_t> stays;  // waters by WaterStays
  bool has_membrane = false;
  std::size_t ions_before = 0;     // the atom in front of which ions are written: where that water begins
  std::vector<BoxWater> replaced;  // by ion, in the order of placement
  std::vector<SaltRequest> salts;
  SaltCounts salt;
  SaltPlacement salt_placement = SaltPlacement::random;
  std::uint64_t seed = 1;
  std::int64_t groups_updated = 0, exact_sums = 0;  // see ScatteredPoints
  const Solvation* solvation = nullptr;             // that made the box, where the same run did; not owned
  const Result* sites = nullptr;  // ions that were at the sites of crystals before the water; not owned

  /// Of the salt's ions in the waters that are left [mol/L]; 0 without water.
  double molarity(std::int64_t ions) const;
};

}  // namespace ionwell
