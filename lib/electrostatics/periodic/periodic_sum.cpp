#include "electrostatics/periodic/periodic_sum.hpp"

#include <algorithm>
#include <cmath>

#include "core/available_memory.hpp"
#include "core/error.hpp"
#include "electrostatics/periodic/periodic_kernels.hpp"
#include "electrostatics/periodic/periodic_mesh.hpp"
#include "electrostatics/periodic/short_range_sum.hpp"
#include "electrostatics/simd/kernel_tables.hpp"
#include "parallel/parallel_for.hpp"
#include "parallel/thread_count.hpp"

namespace ionwell {

IONWELL_KERNEL_TABLES(PeriodicKernels, periodic_kernels)

namespace {

// Measured by `ionwell-bench periodic` on one core with AVX2.
constexpr PeriodicCosts cpu_costs{.pair_s = 2.2e-8, .weight_s = 4.2e-10, .grid_point_s = 1.2e-9};

/// The potential [kT/e] that a usual charge has at a usual distance; the largest one is seldom smaller.
double usual_potential_kT_e(const PeriodicCell& cell, const PairPotential& pair,
                            std::span<const PointCharge> charges) {
  double squares = 0.0;
  for (const PointCharge& q : charges) squares += q.charge_e * q.charge_e;
  constexpr double usual_distance_A = 4;
  const double distance_A = std::min(usual_distance_A, cell.inscribed_radius_A());
  return std::sqrt(squares / double(charges.size())) * pair.at(distance_A * distance_A);
}

bool all_zero(std::span<const PointCharge> charges) {
  return std::all_of(charges.begin(), charges.end(), [](const PointCharge& q) { return q.charge_e == 0.0; });
}

std::vector<double> potential_by(const PeriodicPlan& plan, const PeriodicCell& cell,
                                 const PairPotential& pair, std::span<const PointCharge> charges,
                                 std::span<const Vec3<double>> points_A, const PeriodicSumOptions& options,
                                 const Progress& progress) {
  const int threads = thread_count(options.threads);
  const PeriodicKernels& kernels = periodic_kernels(options.simd);
  std::vector<double> values(points_A.size());
  const auto say = [&](double part) {
    if (progress) progress(part);
  };
  {
    PeriodicMesh mesh(cell, plan, kernels, threads);
    say(0.02);
    mesh.spread(charges);
    say(0.2);
    mesh.solve();
    say(0.4);
    mesh.interpolate(points_A, values);
  }
  say(0.6);
  const ShortRangeSum short_range(cell, plan.split, plan.cutoff_A, charges, points_A);
  constexpr int rounds = 16;  // between which it can be cancelled
  for (int round = 0; round < rounds; ++round) {
    say(0.65 + 0.35 * round / rounds);
    const std::int64_t first = short_range.groups() * round / rounds,
                       last = short_range.groups() * (round + 1) / rounds;
    constexpr std::int64_t chunk = 8;
    parallel_ranges({threads, chunk}, last - first, [&](std::int64_t from, std::int64_t to) {
      short_range.add(first + from, first + to, kernels, values);
    });
  }
  double net_charge_e = 0.0;
  for (const PointCharge& q : charges) net_charge_e += q.charge_e;
  const double mean = plan.split.mean() * net_charge_e / cell.volume_A3();
  for (double& value : values) value = pair.prefactor * (value + mean);
  say(1.0);
  return values;
}

void check_tolerance(double tolerance) {
  constexpr double least = 1e-13, most = 1e-3;
  if (!(tolerance >= least && tolerance <= most))
    fail<UsageError>("the tolerance of a periodic potential is ", tolerance, " (it must be from ", least,
                     " to ", most, ", relative to the largest potential)");
}

}  // namespace

PeriodicPlan plan_periodic_potential(const PeriodicCell& cell, const PairPotential& pair,
                                     std::span<const PointCharge> charges,
                                     std::span<const Vec3<double>> points_A,
                                     const PeriodicSumOptions& options) {
  check_tolerance(options.tolerance);
  if (charges.empty() || points_A.empty() || all_zero(charges)) return {};
  return periodic_plan(cell, pair, charges, points_A,
                       options.tolerance * usual_potential_kT_e(cell, pair, charges), cpu_costs);
}

std::vector<double> periodic_potential(const PeriodicCell& cell, const PairPotential& pair,
                                       std::span<const PointCharge> charges,
                                       std::span<const Vec3<double>> points_A,
                                       const PeriodicSumOptions& options, const Progress& progress) {
  PeriodicPlan plan = plan_periodic_potential(cell, pair, charges, points_A, options);
  if (plan.bytes == 0) return std::vector<double>(points_A.size());
  // A second round takes what the first one found to be the largest potential; rounding ends what digits
  // help.
  const double least_error_kT_e = 1e-14 * usual_potential_kT_e(cell, pair, charges);
  for (bool last = false;; last = true) {
    if (const std::int64_t free = available_memory_bytes(); plan.bytes > free)
      fail("the potential of ", charges.size(), " charges in a cell of ", cell.volume_A3(), " A^3 takes ",
           describe_bytes(plan.bytes), ", but ", describe_bytes(free),
           " are free; use a machine with more memory, or a larger tolerance");
    std::vector<double> values = potential_by(plan, cell, pair, charges, points_A, options, progress);
    double largest_kT_e = 0.0;
    for (const double value : values) largest_kT_e = std::max(largest_kT_e, std::abs(value));
    const double error_kT_e = std::max(least_error_kT_e, options.tolerance * largest_kT_e);
    if (last || plan.expected_error_kT_e <= 2 * error_kT_e) return values;
    plan = periodic_plan(cell, pair, charges, points_A, error_kT_e, cpu_costs);
  }
}

}  // namespace ionwell
