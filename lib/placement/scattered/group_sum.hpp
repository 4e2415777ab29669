#pragma once

#include "electrostatics/pair_potential.hpp"
#include "placement/scattered/ion_action.hpp"

namespace ionwell {

/// Where a charge is as a group sees it.
struct ChargeFromGroup {
  Vec3<double> from_A;                  // from the charge, or one of its images, to the group's centre
  Vec3<double> from_node_A{};           // and from the middle of the polynomial
  const float* coefficients = nullptr;  // ImagePolynomials, of what the other images do; null: there are none
};

/// Adds a charge's pair potential, and a polynomial, to the values of a group: in fp32 where it is far, in
/// fp64 otherwise. Returns by how much the arithmetic may be off [kT/e], besides that of the polynomial.
double add_to_group(const GroupKernels& kernels, const PairPotential& pair, double charge_e,
                    const ChargeFromGroup& charge, const GroupValues& group);

/// A pair potential of a charge at `from_A` from a ball's centre, and what add_to_group may make of it: by
/// Taylor's series with the largest curvature in the ball. Of no use next to the charge.
LinearPotential linear_pair(const PairPotential& pair, const Vec3<double>& from_A, double radius_A);

}  // namespace ionwell
