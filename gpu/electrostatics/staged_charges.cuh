// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/block.hpp"
#include "gpu/electrostatics/pair_term.cuh"

/// Terms of the direct sum that a lane adds: those of a warp's staged charges at its columns of points.
/// Special function units, which give roots and exponentials, are what these sums wait for.
namespace ionwell::gpu {

constexpr unsigned full_warp = 0xffffffffu;
constexpr int warp_size = 32;
constexpr int columns = 2;  // of points that a lane has

/// A charge as a warp reads it, relative to the block's first point: its position across the columns, its
/// weight, and the squared distances along the columns of their points. Of a charge that is summed at nodes,
/// the position along them instead.
struct StagedCharge {
  float4 head;  // x, y, weight, weight / 16; at nodes x, y, weight, position along
  float along2[block_edge];
};

/// Of 16 points of a lane, how many take their reciprocal root in plain arithmetic where any distance may be
/// (measured by `ionwell-bench gpu` on an H200).
constexpr int arithmetic_roots = 4;

/// a + 16 charge / sqrt(s), by a shifted exponent and two of Newton's steps whose constants halve the largest
/// error of either (searched for numerically: 6.9e-7 at most). `charge` comes with the factor 1/16.
__device__ inline float add_arithmetic_root(float a, float s, float charge) {
  float y = __int_as_float(0x5f376900 - (__float_as_int(s) >> 1));
  y *= fmaf(-s, y * y, 3.00175f);
  return fmaf(charge * y, fmaf(-s, y * y, 12.0000046f), a);
}

/// What the kernels of a screened sum need of kappa and of the spacing along the columns.
struct Screening {
  float exponent;        // -kappa log2(e), so that exp2 gives the factor
  float of_distance[4];  // exp(-kappa x) = 1 + x (of_distance[0] + x (of_distance[1] + ...
  bool is_slow;          // kappa times two spacings is 0.26 at most

  __device__ Screening(double kappa_per_A, float spacing_A) {
    constexpr double log2_e = 1.4426950408889634;
    exponent = float(-kappa_per_A * log2_e);
    const float k = -float(kappa_per_A), fall = -2.0f * k * spacing_A, fall2 = fall * fall;
    is_slow = fall <= 0.26f;
    // Taylor's terms, of which the fifth and sixth are replaced by their best fits of lower degree for
    // kappa |x| <= fall (Chebyshev): 8e-7 is left at 0.26.
    of_distance[0] = k * (1.0f - fall2 * fall2 / 384.0f);
    of_distance[1] = k * k * (0.5f - fall2 * fall2 / 1280.0f);
    of_distance[2] = k * k * k * (1.0f / 6.0f + fall2 / 96.0f);
    of_distance[3] = k * k * k * k * (1.0f / 24.0f + fall2 / 480.0f);
  }

  /// exp(-kappa x)
  __device__ float factor(float x) const {
    return fmaf(x, fmaf(x, fmaf(x, fmaf(x, of_distance[3], of_distance[2]), of_distance[1]), of_distance[0]),
                1.0f);
  }
};

/// A staged charge as a lane sees it.
template <int length>
struct ColumnView {
  float4 head;
  float along2[length];
  float across[columns];  // squared distances across the columns

  /// `b`, `c`: where the first column lies across; the second one is at c_second.
  __device__ ColumnView(const StagedCharge& charge, float b, float c, float c_second) : head(charge.head) {
#pragma unroll
    for (int k = 0; k < length; ++k) along2[k] = charge.along2[k];
    const float db = b - head.x, dc = c - head.y, dc_second = c_second - head.y;
    across[0] = fmaf(dc, dc, db * db);
    across[1] = fmaf(dc_second, dc_second, db * db);
  }
};

/// Where a lane's columns lie across.
struct ColumnPlaces {
  float b, c, c_second;

  template <int length>
  __device__ ColumnView<length> view(const StagedCharge& charge) const {
    return ColumnView<length>(charge, b, c, c_second);
  }
};

/// Staged charges [begin, end) at any distance.
template <Kind kind, int length>
__device__ inline void add_staged(const StagedCharge* staged, int begin, int end, const ColumnPlaces& places,
                                  float exponent, float (&sum)[columns][length]) {
  constexpr int step = kind == Kind::distance_dependent ? 2 : 1;
#pragma unroll 2
  for (int n = begin; n < end; n += step) {
    const ColumnView<length> charge = places.view<length>(staged[n]);
    if constexpr (kind == Kind::coulomb) {
#pragma unroll
      for (int m = 0; m < columns; ++m)
#pragma unroll
        for (int k = 0; k < length; ++k) {
          const float s = charge.across[m] + charge.along2[k];
          constexpr int every = 16 / arithmetic_roots;
          if (length == block_edge && (m * length + k) % every == every - 1)
            sum[m][k] = add_arithmetic_root(sum[m][k], s, charge.head.w);
          else
            sum[m][k] = fmaf(charge.head.z, fast_inverse_sqrt(s), sum[m][k]);
        }
    } else if constexpr (kind == Kind::distance_dependent) {
      // Two charges share a reciprocal: p/s + q/t = (p t + q s) / (s t). The last one may be alone.
      const ColumnView<length> other = places.view<length>(staged[min(n + 1, end - 1)]);
      const float weight = n + 1 < end ? other.head.z : 0.0f;
#pragma unroll
      for (int m = 0; m < columns; ++m)
#pragma unroll
        for (int k = 0; k < length; ++k) {
          const float s = charge.across[m] + charge.along2[k], t = other.across[m] + other.along2[k];
          sum[m][k] = fmaf(fmaf(charge.head.z, t, weight * s), fast_inverse(s * t), sum[m][k]);
        }
    } else {
#pragma unroll
      for (int m = 0; m < columns; ++m)
#pragma unroll
        for (int k = 0; k < length; ++k) {
          const float s = charge.across[m] + charge.along2[k];
          const float inverse = fast_inverse_sqrt(s);
          sum[m][k] = fmaf(charge.head.z * inverse, fast_exp2(exponent * (s * inverse)), sum[m][k]);
        }
    }
  }
}

/// Screened terms of staged charges [begin, end) at any distance where the screening is slow: the
/// exponential of a point is that of another one, which is two spacings away at most, times
/// exp(-kappa (r - r')).
__device__ inline void add_slowly_screened(const StagedCharge* staged, int begin, int end,
                                           const ColumnPlaces& places, const Screening& screening,
                                           float (&sum)[columns][block_edge]) {
#pragma unroll 2
  for (int n = begin; n < end; ++n) {
    const ColumnView<block_edge> charge = places.view<block_edge>(staged[n]);
#pragma unroll
    for (int m = 0; m < columns; ++m)
#pragma unroll
      for (int k = 1; k < block_edge; k += 5) {
        const float s = charge.across[m] + charge.along2[k], inverse = fast_inverse_sqrt(s);
        const float r = s * inverse, weight = charge.head.z * fast_exp2(screening.exponent * r);
        sum[m][k] = fmaf(weight, inverse, sum[m][k]);
#pragma unroll
        for (int other = k == 1 ? 0 : 4; other < (k == 1 ? 4 : block_edge); ++other) {
          if (other == k) continue;
          const float t = charge.across[m] + charge.along2[other], of_t = fast_inverse_sqrt(t);
          sum[m][other] = fmaf(weight * of_t, screening.factor(fmaf(t, of_t, -r)), sum[m][other]);
        }
      }
  }
}

}  // namespace ionwell::gpu
