// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "electrostatics/pair_potential.hpp"
#include "electrostatics/simd/simd_level.hpp"

/// The inner loops over groups of scattered points; plain arrays, see simd_level.hpp.
namespace ionwell {

/// Points of a group: few lie near each other, many share what has to be done for a group.
constexpr int group_points = 32;

/// Of the polynomials, ImagePolynomials::degree.
constexpr int polynomial_degree = 4;

/// What a charge does to a group that is far from it.
struct FarCharge {
  double charge_e;
  float from_A[3];            // from the charge to the group's centre
  float from_node_A[3];       // and from where the polynomial has its middle
  const float* coefficients;  // ImagePolynomials; null where there are no images
};

struct GroupKernels {
  /// values[p] += Sum charge * (f + polynomial) at group_points points whose places in the group, relative to
  /// its centre, are x, y and z one after the other, in fp32; see rounding_of_far_pair.
  void (*add)(const FarCharge* charges, int count, const PairPotential& pair, const float* places_A,
              double* values);

  /// Lowest and highest of group_points values, those left out that are no number: infinity and its opposite
  /// when there is none.
  void (*range)(const double* values, double* lowest, double* highest);
};

/// Throws UsageError when this processor lacks instructions that the level may use.
const GroupKernels& group_kernels(SimdLevel level);

/// Of `add`, relative to f at the group's nearest point, where the charge is at least three times the group's
/// radius from its centre: positions are off by four units of rounding of a distance, an inverse or a root by
/// four of its own, and f falls with the second power of the distance at most, or exponentially.
inline double rounding_of_far_pair(const PairPotential& pair, double distance_A) {
  return 0x1p-24 * (32 + 8 * pair.kappa_per_A * distance_A);
}

}  // namespace ionwell
