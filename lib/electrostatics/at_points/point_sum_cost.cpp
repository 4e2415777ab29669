// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/at_points/point_sum_cost.hpp"

#include <algorithm>
#include <limits>

#include "core/available_memory.hpp"
#include "core/error.hpp"
#include "electrostatics/at_points/multilevel_at_points.hpp"

namespace ionwell {
namespace {

// Of one thread.
constexpr double exact_pairs_per_s = 4.1e8, pairs_per_s = 4.8e9, grid_point_s = 75e-9, point_s = 0.1e-6,
                 point_s_per_A = 0.07e-6, batching_s = 0.12e-6;

/// Vectors of 16, 8 or 4 numbers.
double speed_of(SimdLevel level) {
  if (level == SimdLevel::automatic) level = best_simd_level();
  return level == SimdLevel::avx512 ? 1.0 : level == SimdLevel::avx2 ? 0.5 : 0.25;
}

constexpr double no_grid = std::numeric_limits<double>::infinity();

/// Points of the finest grid, which may be more than an integer holds.
double grid_points(std::span<const PointCharge> charges, std::span<const Vec3<double>> points_A,
                   const MultilevelOptions& set) {
  const LatticeGeometry lattice = lattice_around(points_A, set.spacing_A);
  const LatticeGeometry grid = finest_grid(lattice, charges, set);
  return double(grid.counts.x) * double(grid.counts.y) * double(grid.counts.z);
}

}  // namespace

PointSumCosts::PointSumCosts(std::span<const PointCharge> charges, std::span<const Vec3<double>> points_A,
                             const PointSumOptions& options)
    : charges_(charges), points_A_(points_A), workers_(speed_of(options.simd) * options.threads) {}

double PointSumCosts::exact_s() const {
  return double(charges_.size()) * double(points_A_.size()) / (exact_pairs_per_s * workers_);
}

double PointSumCosts::direct_s() const {
  return double(charges_.size()) * double(points_A_.size()) / (pairs_per_s * workers_);
}

double PointSumCosts::partition_s(const std::optional<ChargePartition>& partition,
                                  const TargetBatches& batches,
                                  const std::optional<PartitionOptions>& options) const {
  if (!partition || !options) return no_grid;
  constexpr std::size_t samples = 64;
  const std::size_t step = std::max<std::size_t>(1, batches.size() / samples);
  double pairs = 0.0;
  for (std::size_t n = 0; n < batches.size(); n += step)
    pairs += double(step) * batch_points * double(partition->charges_met(batches[n], *options));
  return pairs / (pairs_per_s * workers_);
}

double PointSumCosts::multilevel_s(const MultilevelOptions& set) const {
  const double points = grid_points(charges_, points_A_, set);
  constexpr double bytes_per_point = 15.0;  // as multilevel_bytes has it
  if (bytes_per_point * points > double(available_memory_bytes())) return no_grid;
  return (grid_point_s * points +
          double(points_A_.size()) * (point_s + point_s_per_A * set.cutoff_A + batching_s)) /
         workers_;
}

void PointSumCosts::require_multilevel_memory(const MultilevelOptions& set) const {
  if (multilevel_s(set) < no_grid) return;
  fail("multilevel summation needs a grid of ", grid_points(charges_, points_A_, set),
       " points over all points and charges, which needs more memory than is free (",
       describe_bytes(available_memory_bytes()), " are free); use --method hcp or direct");
}

}  // namespace ionwell
