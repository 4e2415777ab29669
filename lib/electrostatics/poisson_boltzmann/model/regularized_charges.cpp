// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/poisson_boltzmann/model/regularized_charges.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "electrostatics/open_sum.hpp"
#include "electrostatics/poisson_boltzmann/model/points_around.hpp"
#include "parallel/parallel_for.hpp"

namespace ionwell {
namespace {

using std::numbers::pi;

/// s at some points of a lattice, by their indices, in order.
std::vector<double> direct_sums(std::span<const PointCharge> charges, double prefactor_kT_A,
                                const LatticeGeometry& lattice, std::span<const std::int64_t> points,
                                int threads) {
  std::vector<Vec3<double>> positions_A;
  positions_A.reserve(points.size());
  for (const std::int64_t p : points) positions_A.push_back(lattice.position_A(p));
  return open_potential({.kind = PairPotential::Kind::coulomb, .prefactor = prefactor_kT_A}, charges,
                        positions_A, {.threads = threads}, {});
}

}  // namespace

RegularizedCharges::RegularizedCharges(std::span<const Atom> atoms, double solute_dielectric,
                                       const LatticeGeometry& lattice)
    : lattice_(lattice),
      dielectric_(solute_dielectric),
      charges_(point_charges(atoms)),
      within_(std::size_t(lattice.size())) {
  const Vec3<double>& h = lattice.spacing_A;
  const double diagonal_A = std::sqrt(dot(h, h));
  for (const Atom& atom : atoms) {
    const double reach_A = std::max(atom.radius_A, atom.charge_e != 0.0 ? diagonal_A : 0.0);
    const Vec3<double> reach{reach_A, reach_A, reach_A};
    const PointBox near = points_around(lattice.whole(), {atom.position_A - reach, atom.position_A + reach});
    const std::int64_t low = std::max(near.low.z - lattice.first_plane, std::int64_t{0}),
                       high = std::min(near.high.z - lattice.first_plane, lattice.counts.z - 1);
    for (std::int64_t k = low; k <= high; ++k)
      for (std::int64_t j = near.low.y; j <= near.high.y; ++j)
        for (std::int64_t i = near.low.x; i <= near.high.x; ++i)
          if (distance_squared(lattice.position_A(i, j, k), atom.position_A) <= reach_A * reach_A)
            within_[std::size_t(lattice.index(i, j, k))] = 1;
  }
}

void RegularizedCharges::set_charges(int threads, PbSystem* system) const {
  const Vec3<double>& h = lattice_.spacing_A;
  const Vec3<std::int64_t>& n = lattice_.counts;  // of a slab those here: the last faces lead to none
  const std::array<std::int64_t, 3> stride{1, n.x, n.x * n.y};
  const std::array<double, 3> area_by_length_A{h.y * h.z / h.x, h.x * h.z / h.y, h.x * h.y / h.z};
  const std::array<const std::vector<float>*, 3> eps{&system->eps_x, &system->eps_y, &system->eps_z};
  std::fill(system->charge_e.begin(), system->charge_e.end(), 0.0f);
  // Faces that carry something: from point `lower` to the next one along `axis`.
  struct Face {
    std::int64_t lower;
    int axis;
  };
  std::vector<Face> faces;
  std::vector<std::int64_t> points;
  for (std::int64_t k = 0; k < n.z; ++k)
    for (std::int64_t j = 0; j < n.y; ++j)
      for (std::int64_t i = 0; i < n.x; ++i) {
        const std::int64_t p = lattice_.index(i, j, k);
        const std::array<bool, 3> has{i + 1 < n.x, j + 1 < n.y, k + 1 < n.z};
        for (int axis = 0; axis < 3; ++axis) {
          const auto a = std::size_t(axis);
          if (!has[a]) continue;
          const std::int64_t q = p + stride[a];
          if (!is_within(p) && !is_within(q)) continue;
          const bool is_uniform = double((*eps[a])[std::size_t(p)]) == double(float(dielectric_));
          if (is_uniform && is_within(p) && is_within(q)) continue;
          faces.push_back({p, axis});
          points.insert(points.end(), {p, q});
        }
      }
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  const std::vector<double> sums =
      direct_sums(charges_, system->bjerrum_A / dielectric_, lattice_, points, threads);
  const auto sum_at = [&](std::int64_t p) {
    return sums[std::size_t(std::lower_bound(points.begin(), points.end(), p) - points.begin())];
  };
  // Of the equation of a point in an atom, what s does in the solute's dielectric stands for its charges; of
  // every equation, what s does in the real one goes to the right.
  const double by_charge = 1.0 / (4.0 * pi * system->bjerrum_A);
  for (const Face& face : faces) {
    const auto a = std::size_t(face.axis);
    const std::int64_t p = face.lower, q = p + stride[a];
    const double s_p = sum_at(p), s_q = sum_at(q), scale = by_charge * area_by_length_A[a];
    const double real =
        double((*eps[a])[std::size_t(p)]) * ((is_within(p) ? s_p : 0.0) - (is_within(q) ? s_q : 0.0));
    const double uniform = dielectric_ * (s_p - s_q);
    system->charge_e[std::size_t(p)] += float(scale * ((is_within(p) ? uniform : 0.0) - real));
    system->charge_e[std::size_t(q)] -= float(scale * ((is_within(q) ? uniform : 0.0) - real));
  }
}

}  // namespace ionwell
