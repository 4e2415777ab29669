// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/periodic/periodic_sum.hpp"

#include <algorithm>
#include <cmath>

#include "core/available_memory.hpp"
#include "core/error.hpp"
#include "electrostatics/periodic/periodic_kernels.hpp"
#include "electrostatics/periodic/periodic_mesh.hpp"
#include "electrostatics/periodic/periodic_rounds.hpp"
#include "electrostatics/periodic/short_range_sum.hpp"
#include "electrostatics/simd/kernel_tables.hpp"
#include "parallel/parallel_for.hpp"
#include "parallel/thread_count.hpp"

namespace ionwell {

IONWELL_KERNEL_TABLES(PeriodicKernels, periodic_kernels)

namespace {

// Measured by `ionwell-bench periodic` on one core with AVX2.
constexpr PeriodicCosts cpu_costs{.pair_s = 2.2e-8, .weight_s = 4.2e-10, .grid_point_s = 1.2e-9};

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
  if (plan.cutoff_A > 0.0) {
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
  }
  double net_charge_e = 0.0;
  for (const PointCharge& q : charges) net_charge_e += q.charge_e;
  const double mean = plan.mean() * net_charge_e / cell.volume_A3();
  for (double& value : values) value = pair.prefactor * (value + mean);
  say(1.0);
  return values;
}

}  // namespace

PeriodicPlan plan_periodic_potential(const PeriodicCell& cell, const PairPotential& pair,
                                     std::span<const PointCharge> charges,
                                     std::span<const Vec3<double>> points_A,
                                     const PeriodicSumOptions& options) {
  return first_periodic_plan({cell, pair, charges, points_A, options.tolerance, options.smooth_per_A},
                             cpu_costs);
}

std::vector<double> periodic_potential(const PeriodicCell& cell, const PairPotential& pair,
                                       std::span<const PointCharge> charges,
                                       std::span<const Vec3<double>> points_A,
                                       const PeriodicSumOptions& options, const Progress& progress) {
  return potential_to_tolerance({cell, pair, charges, points_A, options.tolerance, options.smooth_per_A},
                                cpu_costs, [&](const PeriodicPlan& plan) {
                                  if (const std::int64_t free = available_memory_bytes(); plan.bytes > free)
                                    fail("the potential of ", charges.size(), " charges in a cell of ",
                                         cell.volume_A3(), " A^3 takes ", describe_bytes(plan.bytes),
                                         ", but ", describe_bytes(free),
                                         " are free; use a machine with more memory, or a larger tolerance");
                                  return potential_by(plan, cell, pair, charges, points_A, options, progress);
                                });
}

}  // namespace ionwell
