// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/poisson_boltzmann/model/charge_assignment.hpp"

#include <algorithm>
#include <array>

namespace ionwell {
namespace {

/// The weights of one position along each axis.
std::array<SplineWeights, 3> weights_at(const LatticeGeometry& lattice, const Vec3<double>& position_A,
                                        int degree) {
  const Vec3<double> r = position_A - lattice.origin_A;
  const Vec3<double>& h = lattice.spacing_A;
  return {spline_weights(r.x / h.x, degree), spline_weights(r.y / h.y, degree),
          spline_weights(r.z / h.z, degree)};
}

/// Whether a position is so far away that none of its points are the lattice's, and no index overflows.
bool is_far_away(const LatticeGeometry& lattice, const Vec3<double>& position_A) {
  const Vec3<double> r = position_A - lattice.origin_A;
  const auto is_far = [](double x, double h, std::int64_t first, std::int64_t n) {
    constexpr double reach = highest_spline_degree;
    return !(x / h > double(first) - reach && x / h < double(first + n) + reach);
  };
  return is_far(r.x, lattice.spacing_A.x, 0, lattice.counts.x) ||
         is_far(r.y, lattice.spacing_A.y, 0, lattice.counts.y) ||
         is_far(r.z, lattice.spacing_A.z, lattice.first_plane, lattice.counts.z);
}

/// Calls visit(point, weight) for the lattice's points around a position.
template <typename Visit>
void visit_weights(const LatticeGeometry& lattice, const Vec3<double>& position_A, int degree,
                   const Visit& visit) {
  if (is_far_away(lattice, position_A)) return;
  const auto [x, y, z] = weights_at(lattice, position_A, degree);
  for (int c = 0; c <= degree; ++c) {
    const std::int64_t k = z.first + c - lattice.first_plane;
    if (k < 0 || k >= lattice.counts.z) continue;
    for (int b = 0; b <= degree; ++b) {
      const std::int64_t j = y.first + b;
      if (j < 0 || j >= lattice.counts.y) continue;
      for (int a = 0; a <= degree; ++a) {
        const std::int64_t i = x.first + a;
        if (i >= 0 && i < lattice.counts.x)
          visit(std::size_t(lattice.index(i, j, k)), x.weight[a] * y.weight[b] * z.weight[c]);
      }
    }
  }
}

}  // namespace

void assign_charges(std::span<const PointCharge> charges, ChargeAssignment assignment,
                    const LatticeGeometry& lattice, std::vector<float>* charge_e) {
  for (const PointCharge& charge : charges)
    visit_weights(lattice, charge.position_A, spline_degree(assignment),
                  [&](std::size_t at, double weight) { (*charge_e)[at] += float(weight * charge.charge_e); });
}

PlaneSpan planes_of_charge(const LatticeGeometry& lattice, const Vec3<double>& position_A,
                           ChargeAssignment assignment) {
  if (is_far_away(lattice, position_A)) return {};
  const int degree = spline_degree(assignment);
  const std::int64_t first = weights_at(lattice, position_A, degree)[2].first;
  return {int(std::clamp<std::int64_t>(first, 0, lattice.counts.z)),
          int(std::clamp<std::int64_t>(first + degree + 1, 0, lattice.counts.z))};
}

double assigned_potential(std::span<const float> potential_kT_e, const LatticeGeometry& lattice,
                          const Vec3<double>& position_A, ChargeAssignment assignment) {
  double sum = 0.0;
  visit_weights(lattice, position_A, spline_degree(assignment),
                [&](std::size_t at, double weight) { sum += weight * double(potential_kT_e[at]); });
  return sum;
}

}  // namespace ionwell
