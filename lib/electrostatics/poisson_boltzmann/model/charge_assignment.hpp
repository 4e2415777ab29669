// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "core/lattice.hpp"
#include "core/structure.hpp"
#include "electrostatics/poisson_boltzmann/solver/plane_shares.hpp"

namespace ionwell {

/// How a charge comes onto lattice points.
enum class ChargeAssignment {
  trilinear,  // B-splines of degree 1 to 5, on 8, 27, 64, 125 and 216 points
  quadratic,
  cubic,
  quartic,
  quintic,
  regularized,  // not at all: see regularized_charges.hpp
};

/// Highest degree of a spline above.
constexpr int highest_spline_degree = 5;

/// The degree of the splines; 1 for charges that are regularized, by which potentials are read then.
constexpr int spline_degree(ChargeAssignment assignment) {
  return assignment == ChargeAssignment::regularized ? 1 : 1 + int(assignment);
}

/// Where a B-spline around a place along one axis is not zero: the points first to first +
/// degree, in units of the spacing, and its values there, whose sum is 1.
struct SplineWeights {
  std::int64_t first = 0;
  double weight[highest_spline_degree + 1] = {};
};

/// By the recurrence of Cox and de Boor on equal knots. `place` counts spacings from the first point.
IONWELL_HD inline SplineWeights spline_weights(double place, int degree) {
  SplineWeights result;
  // Between two points with odd degrees, nearest to one with even ones.
  const double cell = std::floor(degree % 2 == 1 ? place : place + 0.5),
               t = degree % 2 == 1 ? place - cell : place + 0.5 - cell;
  double* const w = result.weight;
  w[0] = 1.0 - t;
  w[1] = t;
  for (int d = 2; d <= degree; ++d) {
    w[d] = t * w[d - 1] / d;
    for (int n = d - 1; n > 0; --n) w[n] = ((t + d - n) * w[n - 1] + (n + 1 - t) * w[n]) / d;
    w[0] *= (1.0 - t) / d;
  }
  result.first = std::int64_t(cell) - degree / 2;
  return result;
}

/// Adds charges to the points of a lattice, or of a slab of one [e]. What would come to points that the
/// lattice lacks is lost, as is a charge outside of it. O(charges).
void assign_charges(std::span<const PointCharge> charges, ChargeAssignment assignment,
                    const LatticeGeometry& lattice, std::vector<float>* charge_e);

/// The planes of a whole lattice that a charge comes to: none where it is far outside.
PlaneSpan planes_of_charge(const LatticeGeometry& lattice, const Vec3<double>& position_A,
                           ChargeAssignment assignment);

/// A potential's value at a position, by the weights that a charge there would have: charge times this is the
/// energy of the charge on the lattice. Points that the lattice lacks, or a slab of it, count as 0.
double assigned_potential(std::span<const float> potential_kT_e, const LatticeGeometry& lattice,
                          const Vec3<double>& position_A, ChargeAssignment assignment);

}  // namespace ionwell
