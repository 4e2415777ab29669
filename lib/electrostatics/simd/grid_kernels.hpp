// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>

#include "electrostatics/simd/direct_kernels.hpp"

/// The inner loops of multilevel summation on the CPU; plain arrays, see simd_level.hpp.
namespace ionwell {

/// Interpolation from the finest grid to one block: along each axis the block's 8 points are sums over
/// `reach` grid points with weights[axis][t][point].
struct BlockInterpolation {
  const float* grid;       // value of the first grid point that the block needs
  std::int64_t stride[3];  // of the grid, in values; stride[0] is 1
  const float* weights[3];
  int reach[3];
  float constant;    // added to every point
  float* workspace;  // block_edge * (reach[1] * reach[0] + block_edge * reach[0]) + 64 values
};

/// Coefficients of the long-range part's polynomial: exact for Taylor splitting, and to 1e-6 for Gaussians.
/// The loops are unrolled for these.
constexpr int taylor_coefficients = 3;
constexpr int gaussian_coefficients = 10;

/// The pair potential less its long-range part, within the cutoff.
struct ShortRange {
  PairPotential pair;
  double cutoff_A;
  const float* polynomial;  // of the long-range part, see MultilevelPlan
  int coefficients;         // one of the two numbers above
};

struct GridKernels {
  /// out[i] (+)= Sum_t weights[t] rows[t][i], i < count.
  void (*combine)(const float* const* rows, const float* weights, int rows_count, bool accumulate, float* out,
                  std::size_t count);

  /// values[p] += interpolated long-range potential.
  void (*interpolate)(const BlockInterpolation& from, float* values);

  /// values[p] += short-range potential of the charges, which are all near the block.
  void (*add_short)(const BlockFrame& frame, const ChargeArrays& charges, const ShortRange& range,
                    float* values);
};

const GridKernels& grid_kernels(SimdLevel level);

}  // namespace ionwell
