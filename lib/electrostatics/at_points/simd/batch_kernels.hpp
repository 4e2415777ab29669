// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

#include "electrostatics/simd/grid_kernels.hpp"
#include "electrostatics/simd/simd_level.hpp"

/// The inner loops of sums at scattered points; plain arrays, see simd_level.hpp.
namespace ionwell {

/// Points of a batch, neighbours in space that are summed together; a multiple of every vector's width.
constexpr int batch_points = 64;

/// Charges relative to the centre of a batch.
struct RelativeCharges {
  const float* x_A;
  const float* y_A;
  const float* z_A;
  const float* charge_e;
  int count;
};

/// The long-range grid of multilevel summation at points.
struct PointInterpolation {
  const float* grid;  // i fastest, with 8 values behind its end
  std::ptrdiff_t stride_y, stride_z;
  int order;  // at most 8
};

/// Points are [x, y, z][batch_points] in fp32, relative to the batch's centre; places without a point have
/// some point's. `places` is how many are taken, a multiple of 16.
struct BatchKernels {
  /// sums[place] += pair potentials, less the prefactor. Terms in fp32, summed in fp32 over 64 charges and
  /// then in fp64. A distance below 1e-3 A counts as that.
  void (*add_pairs)(const float* points_A, int places, const RelativeCharges& charges,
                    const PairPotential& pair, double* sums);

  /// sums[place] += pair potential less its long-range part of the charges within the cutoff [kT/e].
  void (*add_short)(const float* points_A, int places, const RelativeCharges& charges,
                    const ShortRange& range, double* sums_kT_e);

  /// The grid's value at a point: `weights` are [x, y, z][8], 0 from `order` on, and `first` the index of the
  /// first of the order^3 grid points.
  float (*interpolate)(const PointInterpolation& from, std::ptrdiff_t first, const float* weights);
};

/// Throws UsageError when this processor lacks instructions that the level may use.
const BatchKernels& batch_kernels(SimdLevel level);

}  // namespace ionwell
