// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/host_device.hpp"
#include "electrostatics/pair_potential.hpp"

/// Parts of sums over charges that are the same for a vector of charges on the CPU and a thread on the GPU.
/// `Math` says what a number is, `Math::Real`, and how to take roots and the like; it is a type of the source
/// that includes this, so that each instruction set has functions of its own.
namespace ionwell {

/// Squared distance [A^2] as fp64 sums count it, from its parts by axis: no less than the smallest.
template <typename Math>
IONWELL_HD inline double counted_distance2_A2(double x_A, double y_A, double z_A) {
  constexpr double smallest2 = smallest_distance_A * smallest_distance_A;
  const double r2 = x_A * x_A + y_A * y_A + z_A * z_A;
  return r2 < smallest2 ? smallest2 : r2;
}

/// The ball that a bound on a charge's potential is for, and what is known of the charge.
struct ChargeBall {
  float slack_A;      // its radius
  float clearance_A;  // points that count are farther from the charge than this
};

/// An upper bound on |potential| of a charge at points of a ball: `size` is |charge|, times the prefactor
/// when that is wanted in it, and x, y, z are from the ball's centre to the charge [A].
template <typename Math>
IONWELL_HD inline typename Math::Real magnitude_term(const PairPotential& pair, const ChargeBall& ball,
                                                     typename Math::Real size, typename Math::Real x,
                                                     typename Math::Real y, typename Math::Real z) {
  using Real = typename Math::Real;
  const Real d = Math::larger(Math::root_at_most(x * x + y * y + z * z) - ball.slack_A,
                              Math::broadcast(ball.clearance_A));
  const Real inverse = Math::inverse_at_least(d);
  Real term = size * inverse;
  if (pair.kind == PairPotential::Kind::distance_dependent) term *= inverse;
  // With the exponential's own rounding, which grows with its argument.
  if (pair.kind == PairPotential::Kind::debye_hueckel)
    term *= Math::screening_at_least(float(pair.kappa_per_A) * d);
  return term;
}

}  // namespace ionwell
