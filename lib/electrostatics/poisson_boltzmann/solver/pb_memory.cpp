#include "electrostatics/poisson_boltzmann/solver/pb_memory.hpp"

#include <algorithm>

#include "electrostatics/poisson_boltzmann/solver/pb_levels.hpp"

namespace ionwell {
namespace {

constexpr std::int64_t gradients_bytes = 4 * sizeof(float), potential_bytes = sizeof(double);
constexpr std::int64_t slope_bytes = sizeof(float);                // of the nonlinear equation
constexpr std::int64_t system_bytes = 5 * sizeof(float);           // dielectric, accessibility, charges
constexpr std::int64_t of_coarse_point_bytes = 6 * sizeof(float);  // matrix, vectors of the V-cycle

bool has_inner_points(const LatticeGeometry& lattice) {
  return std::min({lattice.counts.x, lattice.counts.y, lattice.counts.z}) > 2;
}

std::int64_t fine_and_coarse_bytes(const LatticeGeometry& lattice, std::int64_t of_point_bytes) {
  std::int64_t bytes = lattice.size() * of_point_bytes;
  for (const auto& axes : plan_coarsening(lattice.counts, lattice.spacing_A))
    bytes += std::int64_t(axes[0].coarse) * axes[1].coarse * axes[2].coarse * of_coarse_point_bytes;
  return bytes;
}

}  // namespace

std::int64_t host_vectors_bytes(const LatticeGeometry& lattice, bool is_nonlinear) {
  if (!has_inner_points(lattice)) return 0;
  std::int64_t collected = 0;  // values of a residual, coarse along x and y
  for (const auto& axes : plan_coarsening(lattice.counts, lattice.spacing_A))
    collected = std::max(collected, std::int64_t(axes[0].coarse) * axes[1].coarse * axes[2].fine);
  return fine_and_coarse_bytes(lattice,
                               gradients_bytes + potential_bytes + (is_nonlinear ? slope_bytes : 0)) +
         collected * std::int64_t(sizeof(float));
}

std::int64_t device_vectors_bytes(const LatticeGeometry& lattice, bool is_nonlinear) {
  if (!has_inner_points(lattice)) return 0;
  return fine_and_coarse_bytes(
      lattice, gradients_bytes + potential_bytes + system_bytes + (is_nonlinear ? slope_bytes : 0));
}

}  // namespace ionwell
