// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "electrostatics/periodic/periodic_plan.hpp"

namespace ionwell {

/// What a periodic sum is requested, wherever it is done.
struct PeriodicProblem {
  const PeriodicCell& cell;
  const PairPotential& pair;
  std::span<const PointCharge> charges;
  std::span<const Vec3<double>> points_A;
  double tolerance;  // this and the next: see PeriodicSumOptions
  std::optional<double> smooth_per_A;
};

/// With the digits that a usual largest potential wants; of 0 bytes when there is nothing to sum. Throws
/// UsageError for a tolerance or an Ewald factor out of range.
PeriodicPlan first_periodic_plan(const PeriodicProblem& problem, const PeriodicCosts& costs);

/// The values of `compute` for the first plan or, where the largest of them turns out so small that it wants
/// more digits, for a second one.
std::vector<double> potential_to_tolerance(
    const PeriodicProblem& problem, const PeriodicCosts& costs,
    const std::function<std::vector<double>(const PeriodicPlan&)>& compute);

}  // namespace ionwell
