// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <cstddef>

#include "core/block_frame.hpp"
#include "core/block_nodes.hpp"
#include "electrostatics/pair_potential.hpp"
#include "electrostatics/simd/simd_level.hpp"

namespace ionwell {

/// Charges in fp64, one array per member, `count` of each; fastest when each 64 are neighbours in space, the
/// positive ones in front.
struct ChargeArrays {
  const double* x_A;
  const double* y_A;
  const double* z_A;
  const double* charge_e;
  const double* length_scale;  // see length_scale()
  std::size_t count;
};

/// Factor on all lengths that lets a charge's potential be computed without multiplying by the charge:
/// |K q| / r = 2 / sqrt(s^2 r^2) with s = 2 / |K q|, and |K q| / r^2 = 1 / (s^2 r^2) with s = |K q|^(-1/2).
inline double length_scale(const PairPotential& pair, double charge_e) {
  const double magnitude = pair.prefactor * std::abs(charge_e);
  if (pair.kind == PairPotential::Kind::coulomb) return 2.0 / magnitude;
  if (pair.kind == PairPotential::Kind::distance_dependent) return 1.0 / std::sqrt(magnitude);
  return 1.0;
}

constexpr int longest_column = 4;  // blocks whose charges are prepared together

/// The inner loops of the direct sum; plain arrays, see simd_level.hpp.
struct DirectKernels {
  /// values[p] += potential of all charges, for the 512 points of each of `blocks` blocks (64-byte aligned)
  /// in a column along z, at most `longest_column`. fp32 terms, summed in fp32 over at most 64 charges and
  /// then in fp64; see `rounding_of_direct_sum`. Groups of 64 charges that are far away by `nodes` are summed
  /// at the nodes of a block. A block's values do not depend on its company.
  void (*add_charges)(const BlockFrame* frames, int blocks, const ChargeArrays& charges,
                      const PairPotential& pair, const NodeDistances& nodes, float* values);

  /// Bound on the sum of |potential| over all charges at points within `slack_A` of `centre_A` and at least
  /// `clearance_A` from every charge.
  double (*magnitude)(const double* centre_A, double slack_A, double clearance_A, const ChargeArrays& charges,
                      const PairPotential& pair);

  /// The fp64 potential at one point: terms in fp64, in eight partial sums, then added in a fixed order.
  double (*exact)(const double* position_A, const ChargeArrays& charges, const PairPotential& pair);
};

/// Throws UsageError when this processor lacks instructions that the level may use.
const DirectKernels& direct_kernels(SimdLevel level);

/// Rounding of `add_charges`, relative to the sum of the terms' magnitudes: 64 + 16 fp32 additions of 2^-24
/// each and 2e-6 at most for a term (coordinates to 2^-24 of their size, one Newton step on an estimate of 12
/// bits or on the mean of two). At nodes there are 16 additions, which polynomials make 3.3 times as large at
/// most, as they do the rounding of a term, and the polynomials' own error.
constexpr double rounding_of_direct_sum = 80 * 0x1p-24 + 2e-6;

}  // namespace ionwell
