// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <limits>
#include <vector>

#include "core/periodic_cell.hpp"
#include "core/structure.hpp"
#include "placement/field.hpp"
#include "placement/ion.hpp"
#include "placement/placement.hpp"

namespace ionwell {

/// Fills in the nearest atom and the nearest other ion of each ion, once all are placed, with a cell by
/// whatever image; O(atoms + ions).
void find_neighbours(Placement& placement, std::span<const Atom> atoms, int threads = 0,
                     const PeriodicCell* cell = nullptr);

/// Makes every point unavailable that is nearer than `distance_A` to a periodic image of an ion at
/// `position_A`; what is near to the ion itself is left to add_ion.
void exclude_around_images(PotentialField& field, const Vec3<double>& position_A, const PeriodicCell& cell,
                           double distance_A);

/// How a placement is followed, and what it continues from.
struct PlacementSteps {
  /// Gets all ions placed so far, when there is one more. What it throws ends the placement and reaches the
  /// caller.
  std::function<void(std::span<const PlacedIon>)> placed;
  /// The first ions of `requests`, which another process has placed: they are put where they were.
  std::span<const PlacedIon> begun;
  const PeriodicCell* cell = nullptr;  // by whose images ions keep their distance from each other, too
};

/// Puts the ions of `requests`, one after the other, at the point of lowest energy of `field`, which already
/// holds the solute's potential and exclusion. Stops early when no point is left, or when an ion's energy
/// would be above `most_kT`.
Placement place_ions(PotentialField& field, const Structure& structure,
                     const std::vector<IonRequest>& requests, const ExclusionOptions& options,
                     const PlacementSteps& steps, double most_kT = std::numeric_limits<double>::infinity(),
                     int threads = 0);

}  // namespace ionwell
