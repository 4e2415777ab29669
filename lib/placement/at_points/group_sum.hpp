// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "electrostatics/pair_potential.hpp"
#include "placement/at_points/ion_action.hpp"

namespace ionwell {

/// Where a charge is as a group sees it.
struct ChargeFromGroup {
  double charge_e;
  Vec3<double> from_A;                  // from the charge, or one of its images, to the group's centre
  Vec3<double> from_node_A{};           // and from the middle of the polynomial
  const float* coefficients = nullptr;  // ImagePolynomials, of what the other images do; null: there are none
};

/// Adds charges' pair potentials, and polynomials, to the values of a group: in fp32 those that are far, in
/// fp64 the others.
class GroupSum {
 public:
  GroupSum(const GroupKernels& kernels, const PairPotential& pair, const GroupValues& group)
      : kernels_(kernels), pair_(pair), group_(group) {}

  void add(const ChargeFromGroup& charge);

  /// All that was added is in the values then. Returns by how much the arithmetic may be off [kT/e], besides
  /// that of the polynomials.
  double finish();

 private:
  void add_near(const ChargeFromGroup& charge);

  static constexpr int at_once = 16;

  const GroupKernels& kernels_;
  const PairPotential& pair_;
  const GroupValues& group_;
  int waiting_ = 0;
  FarCharge far_[at_once];  // so that the next ones are prepared while one is summed
  double error_kT_e_ = 0.0;
};

/// A pair potential of a charge at `from_A` from a ball's centre, and what GroupSum may make of it: by
/// Taylor's series with the largest curvature in the ball. Of no use next to the charge.
LinearPotential linear_pair(const PairPotential& pair, const Vec3<double>& from_A, double radius_A);

}  // namespace ionwell
