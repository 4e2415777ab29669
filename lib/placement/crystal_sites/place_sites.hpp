// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <limits>

#include "placement/crystal_sites/basins.hpp"
#include "placement/crystal_sites/site_energies.hpp"
#include "placement/ion.hpp"
#include "placement/place_ions.hpp"

namespace ionwell {

struct SitePlacement {
  Placement placement;  // energy_kT: F with what the ions placed before add
  bool complete =
      true;  // false: a point that is not among those given might have been better for the next ion
};

/// Puts the ions of `request`, one after the other, at the point where F is lowest with what the ions placed
/// before it add, model.charge_e times their potential; of equal ones at the first. In double precision.
/// Stops early when no point is left, when an ion's F would be above most_kT, and when the points
/// given do not suffice. `progress` gets the number placed; what it throws reaches the caller. Nearest atoms
/// are left to find_neighbours. With a `cell` ions keep their distance from each other's images, too.
SitePlacement place_sites(const LatticeGeometry& lattice, const SiteModel& model, const BasinPoints& points,
                          const IonRequest& request, double most_kT,
                          const std::function<void(std::int64_t)>& progress,
                          const PeriodicCell* cell = nullptr);

}  // namespace ionwell
