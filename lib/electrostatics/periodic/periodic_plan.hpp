// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core/periodic_cell.hpp"
#include "core/structure.hpp"
#include "electrostatics/periodic/ewald_split.hpp"
#include "electrostatics/periodic/fourier_grid.hpp"
#include "electrostatics/periodic/mesh_window.hpp"

namespace ionwell {

/// How a periodic sum is done: which pairs are summed one by one, and what grid carries the rest.
struct PeriodicPlan {
  EwaldSplit split;
  double cutoff_A = 0.0;  // 0: no pairs are summed
  Vec3<int> grid;         // points along the reduced cell's vectors
  KaiserBessel window{};
  double expected_error_kT_e = 0.0;
  double expected_s = 0.0;  // on one core
  std::int64_t bytes = 0;   // that it takes besides charges, points and results

  /// What a net charge of 1 e adds everywhere, times the cell's volume, with prefactor 1.
  double mean() const {
    const bool is_screened = split.kind == PairPotential::Kind::debye_hueckel;
    return cutoff_A > 0.0 || is_screened ? split.mean() : 0.0;
  }

  FourierLayout layout() const { return {grid, window.width}; }
};

/// How long the parts of a periodic sum take.
struct PeriodicCosts {
  double pair_s;        // within the cutoff, with those that are looked at to find it
  double weight_s;      // one of the width^3 grid points of a charge or point
  double grid_point_s;  // transforms, for each factor of 2 in their number
};

/// The cheapest plan whose error is at most `error_kT_e`: the cost of pairs, which a sample of charges and
/// points tells, against that of the grid; with `smooth_per_A` (PeriodicSumOptions) without pairs. Charges
/// must be there, and not all zero.
PeriodicPlan periodic_plan(const PeriodicCell& cell, const PairPotential& pair,
                           std::span<const PointCharge> charges, std::span<const Vec3<double>> points_A,
                           double error_kT_e, const PeriodicCosts& costs,
                           const std::optional<double>& smooth_per_A = {});

}  // namespace ionwell
