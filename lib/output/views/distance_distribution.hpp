// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "core/structure.hpp"
#include "placement/place_ions.hpp"

namespace ionwell {

/// Ions by their distance to the nearest atom of the solute, against the room that there is at that distance.
struct DistanceDistribution {
  double step_A = 0.5;
  std::vector<std::int64_t> ions;  // by step: of distances n step_A up to (n + 1) step_A
  std::vector<double> volume_A3;   // likewise, by counting the points of coarse_lattice
  /// Density of ions in a step over that in all steps; 0 where there is no room.
  std::vector<double> g;
};

/// Up to 10 A, which is how far that lattice reaches on all sides. O(points + ions), 0.1 s for a ribosome.
DistanceDistribution distance_distribution(std::span<const Atom> solute, const Placement& placement,
                                           int threads = 0);

}  // namespace ionwell
