// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/poisson_boltzmann/solver/pb_memory.hpp"

#include <algorithm>

#include "electrostatics/poisson_boltzmann/solver/pb_levels.hpp"
#include "electrostatics/poisson_boltzmann/solver/red_black/red_black_lattice.hpp"

namespace ionwell {
namespace {

constexpr std::int64_t potential_bytes = sizeof(double);
constexpr std::int64_t half_vectors_bytes = 12 * sizeof(float);  // of the even points: matrix and gradients
constexpr std::int64_t device_gradients_bytes = 4 * sizeof(float);  // of all points
constexpr std::int64_t slope_bytes = sizeof(float);                 // of the nonlinear equation, on a device
constexpr std::int64_t system_bytes = 5 * sizeof(float);            // dielectric, accessibility, charges
constexpr std::int64_t boundary_bytes = sizeof(float);
constexpr std::int64_t level_bytes = 6 * sizeof(float);  // of a coarse level: matrix, vectors of the V-cycle
constexpr std::int64_t sweep_bytes = sizeof(float);      // of any level on a device
constexpr std::int64_t packed_pair_bytes = 4 * sizeof(std::uint32_t);  // of two points along x there

bool has_inner_points(const LatticeGeometry& lattice) {
  return std::min({lattice.counts.x, lattice.counts.y, lattice.counts.z}) > 2;
}

std::int64_t all_levels_bytes(const LatticeGeometry& lattice, std::int64_t of_point_bytes,
                              std::int64_t of_coarse_point_bytes) {
  std::int64_t bytes = lattice.size() * of_point_bytes;
  for (const auto& axes : plan_coarsening(lattice.counts, lattice.spacing_A))
    bytes += std::int64_t(axes[0].coarse) * axes[1].coarse * axes[2].coarse * of_coarse_point_bytes;
  return bytes;
}

}  // namespace

std::int64_t pb_system_bytes(const LatticeGeometry& lattice) {
  return lattice.size() * (system_bytes + boundary_bytes);
}

std::int64_t host_vectors_bytes(const LatticeGeometry& lattice) {
  if (!has_inner_points(lattice)) return 0;
  const Vec3<std::int64_t>& n = lattice.counts;
  const auto plan = plan_coarsening(n, lattice.spacing_A);
  std::int64_t collected = 0;  // values of a residual, coarse along x and y
  for (std::size_t level = 1; level < plan.size(); ++level)
    collected = std::max(collected,
                         std::int64_t(plan[level][0].coarse) * plan[level][1].coarse * plan[level][2].fine);
  return all_levels_bytes(lattice, potential_bytes, level_bytes) +
         RedBlackLattice{int(n.x), int(n.y), int(n.z)}.size() * half_vectors_bytes +
         collected * std::int64_t(sizeof(float));
}

std::int64_t shared_vectors_bytes(const LatticeGeometry& lattice, int processes, int process) {
  const auto coarsenings = plan_coarsening(lattice.counts, lattice.spacing_A);
  const PlaneShares shares = share_planes(lattice.counts, coarsenings, processes);
  const auto planes = [&](std::size_t level, std::int64_t whole) {
    return std::int64_t(planes_of(shares, level, process, int(whole)).count);
  };
  std::int64_t here = planes(0, lattice.counts.z), collected = 0;
  std::int64_t bytes =
      lattice.counts.x * lattice.counts.y * here * (potential_bytes + system_bytes + boundary_bytes) +
      RedBlackLattice{int(lattice.counts.x), int(lattice.counts.y), int(here)}.size() * half_vectors_bytes;
  for (std::size_t n = 0; n < coarsenings.size(); ++n) {
    const std::int64_t plane = std::int64_t(coarsenings[n][0].coarse) * coarsenings[n][1].coarse;
    if (n > 0) collected = std::max(collected, plane * here);
    here = planes(n + 1, coarsenings[n][2].coarse);
    bytes += plane * here * level_bytes;
  }
  return bytes + collected * std::int64_t(sizeof(float));
}

std::int64_t device_vectors_bytes(const LatticeGeometry& lattice, bool is_nonlinear) {
  if (!has_inner_points(lattice)) return 0;
  const auto packed_bytes = [](std::int64_t nx, std::int64_t ny, std::int64_t nz) {
    return (nx / 2 + 1) * ny * nz * packed_pair_bytes;
  };
  std::int64_t packed = packed_bytes(lattice.counts.x, lattice.counts.y, lattice.counts.z);
  for (const auto& axes : plan_coarsening(lattice.counts, lattice.spacing_A))
    packed += packed_bytes(axes[0].coarse, axes[1].coarse, axes[2].coarse);
  return packed + all_levels_bytes(lattice,
                                   potential_bytes + device_gradients_bytes +
                                       (is_nonlinear ? slope_bytes : 0) + system_bytes + sweep_bytes,
                                   level_bytes + sweep_bytes);
}

}  // namespace ionwell
