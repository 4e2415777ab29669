// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/periodic/periodic_rounds.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"

namespace ionwell {
namespace {

/// The potential [kT/e] that a usual charge has at a usual distance; the largest one is seldom smaller.
double usual_potential_kT_e(const PeriodicProblem& problem) {
  const auto& [cell, pair, charges, points_A, tolerance, smooth_per_A] = problem;
  double squares = 0.0;
  for (const PointCharge& q : charges) squares += q.charge_e * q.charge_e;
  constexpr double usual_distance_A = 4;
  const double distance_A = std::min(usual_distance_A, cell.inscribed_radius_A());
  return std::sqrt(squares / double(charges.size())) * pair.at(distance_A * distance_A);
}

bool all_zero(std::span<const PointCharge> charges) {
  return std::all_of(charges.begin(), charges.end(), [](const PointCharge& q) { return q.charge_e == 0.0; });
}

void check_tolerance(double tolerance) {
  constexpr double least = 1e-13, most = 1e-3;
  if (!(tolerance >= least && tolerance <= most))
    fail<UsageError>("the tolerance of a periodic potential is ", tolerance, " (it must be from ", least,
                     " to ", most, ", relative to the largest potential)");
}

void check_smoothness(const std::optional<double>& per_A) {
  constexpr double least = 0.02, most = 5.0;
  if (per_A && !(*per_A >= least && *per_A <= most))
    fail<UsageError>("the Ewald factor is ", *per_A, "/A (it must be from ", least, " to ", most,
                     "; 0.25 is common for maps)");
}

PeriodicPlan plan_to(const PeriodicProblem& problem, double error_kT_e, const PeriodicCosts& costs) {
  return periodic_plan(problem.cell, problem.pair, problem.charges, problem.points_A, error_kT_e, costs,
                       problem.smooth_per_A);
}

}  // namespace

PeriodicPlan first_periodic_plan(const PeriodicProblem& problem, const PeriodicCosts& costs) {
  check_tolerance(problem.tolerance);
  check_smoothness(problem.smooth_per_A);
  if (problem.points_A.empty() || all_zero(problem.charges)) return {};
  return plan_to(problem, problem.tolerance * usual_potential_kT_e(problem), costs);
}

std::vector<double> potential_to_tolerance(
    const PeriodicProblem& problem, const PeriodicCosts& costs,
    const std::function<std::vector<double>(const PeriodicPlan&)>& compute) {
  const PeriodicPlan plan = first_periodic_plan(problem, costs);
  if (plan.bytes == 0) return std::vector<double>(problem.points_A.size());
  std::vector<double> values = compute(plan);
  double largest_kT_e = 0.0;
  for (const double value : values) largest_kT_e = std::max(largest_kT_e, std::abs(value));
  // Rounding ends what more digits help.
  const double error_kT_e = std::max(1e-14 * usual_potential_kT_e(problem), problem.tolerance * largest_kT_e);
  if (plan.expected_error_kT_e <= 2 * error_kT_e) return values;
  return compute(plan_to(problem, error_kT_e, costs));
}

}  // namespace ionwell
