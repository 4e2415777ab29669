// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/instruction_set.hpp"
#include "core/periodic_cell.hpp"
#include "core/structure.hpp"
#include "electrostatics/pair_potential.hpp"
#include "electrostatics/periodic/periodic_plan.hpp"
#include "parallel/progress.hpp"

namespace ionwell {

struct PeriodicSumOptions {
  // Expected error relative to the largest potential at the points; from 1e-13 to 1e-3. Rounding leaves some
  // 1e-13 of what a usual charge does at 4 A, which matters where the potential is far smaller everywhere.
  double tolerance = 1e-10;
  int threads = 0;  // see thread_count
  SimdLevel simd = SimdLevel::automatic;
  /// Only the smooth part of the sum, of charges that are spread as Gaussians q (a/sqrt(pi))^3 exp(-a^2 r^2),
  /// with this Ewald factor a [1/A], from 0.02 to 5: what the grids of particle-mesh Ewald have, and maps
  /// that are made of them. Not given: all.
  std::optional<double> smooth_per_A;
};

/// How `periodic_potential` begins, and how many bytes it takes (PeriodicPlan::bytes) besides charges, points
/// and results. It plans once more where the potential turns out so small that it wants more digits; that
/// takes more grid points.
PeriodicPlan plan_periodic_potential(const PeriodicCell& cell, const PairPotential& pair,
                                     std::span<const PointCharge> charges,
                                     std::span<const Vec3<double>> points_A,
                                     const PeriodicSumOptions& options);

/// The potential [kT/e] at any points of charges and all their images, in fp64 throughout:
/// O(charges + points + grid log grid). Coulomb's and that of a distance-dependent dielectric have mean zero
/// over the cell, as in a neutralising background (see EwaldSplit); nothing surrounds the images that could
/// be polarised, or all of it is a conductor: what is called tin-foil boundary conditions. A distance below
/// smallest_distance_A counts as that. The result does not depend on the number of threads. Throws UsageError
/// for a tolerance or an Ewald factor out of range, Error where there is not enough memory, and what
/// `progress` throws.
std::vector<double> periodic_potential(const PeriodicCell& cell, const PairPotential& pair,
                                       std::span<const PointCharge> charges,
                                       std::span<const Vec3<double>> points_A,
                                       const PeriodicSumOptions& options = {}, const Progress& progress = {});

}  // namespace ionwell
