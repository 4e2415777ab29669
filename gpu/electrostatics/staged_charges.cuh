// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/block.hpp"
#include "gpu/electrostatics/pair_term.cuh"

/// Terms of the direct sum that a lane adds: those of a warp's staged charges at its columns of points.
/// Special function units, which give roots and exponentials, are what these sums wait for. Of a charge that
/// is far away in units of the spacing, a point takes its term from a neighbour's instead: as a polynomial in
/// the ratio of their squared distances.
namespace ionwell::gpu {

constexpr unsigned full_warp = 0xffffffffu;
constexpr int warp_size = 32;
constexpr int columns = 2;  // of points that a lane has

/// A charge as a warp reads it: position across the columns relative to the block's first point, its weight,
/// and for each point along the columns the squared distance along them, or for a point that takes its term
/// from another one the difference of both.
struct StagedCharge {
  float4 head;  // x, y, weight, weight / 16
  float along2[block_edge];
};

/// How far a charge is from the block's points, at the least.
enum class Distance {
  any,
  far,     // Coulomb: 31 spacings; Debye-Hueckel: 70
  distant  // 100 spacings, for Coulomb
};

/// In units of the spacing along the columns, squared: with it the ratio v of two squared distances is 1 to
/// within 0.066 (0.0201 where distant), as the errors below want it.
constexpr float far_coulomb2 = 31.0f * 31.0f, far_screened2 = 70.0f * 70.0f, distant2 = 100.0f * 100.0f;

/// The point from whose root point k of a column takes its own; k itself if it has its own.
template <Kind kind>
__device__ constexpr int giver(int k) {
  if (kind == Kind::coulomb) return k < 3 ? 1 : (k > 4 ? 6 : k);
  return k < 5 ? 2 : k;
}

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

/// 1 / sqrt(1 + v) with the least of largest errors: 9.5e-7 for |v| < 0.067, or 6.5e-7 for |v| < 0.0202.
template <Distance distance>
__device__ inline float inverse_sqrt_near_1(float v) {
  if constexpr (distance == Distance::distant)
    return fmaf(v, fmaf(v, 0.37509529f, -0.50009555f), 1.0f);
  else
    return fmaf(v, fmaf(v, fmaf(v, -0.3137073f, 0.37602015f), -0.49999908f), 1.0f);
}

/// What the kernels of a screened sum need of kappa and of the spacing along the columns.
struct Screening {
  float exponent;           // -kappa log2(e), so that exp2 gives the factor
  float of_distance[4];     // exp(-kappa x) = 1 + x (of_distance[0] + x (of_distance[1] + ...
  float of_third[4];        // the same of add_far_screened's third coefficient, in log2 of the factor
  bool is_slow, is_slower;  // kappa times two spacings is 0.26, or 0.14, at most

  __device__ Screening(double kappa_per_A, float spacing_A) {
    constexpr double log2_e = 1.4426950408889634;
    exponent = float(-kappa_per_A * log2_e);
    const float k = -float(kappa_per_A), fall = -2.0f * k * spacing_A, fall2 = fall * fall;
    is_slow = fall <= 0.26f;
    is_slower = fall <= 0.14f;
    // Taylor's terms, of which the fifth and sixth are replaced by their best fits of lower degree for
    // kappa |x| <= fall (Chebyshev): 8e-7 is left at 0.26.
    of_distance[0] = k * (1.0f - fall2 * fall2 / 384.0f);
    of_distance[1] = k * k * (0.5f - fall2 * fall2 / 1280.0f);
    of_distance[2] = k * k * k * (1.0f / 6.0f + fall2 / 96.0f);
    of_distance[3] = k * k * k * k * (1.0f / 24.0f + fall2 / 480.0f);
    // The fifth term as its best multiple of the third one, for |v| <= 2.03 fall / (kappa r): theta_5 without
    // its last two terms.
    constexpr float l = -0.693147181f;  // kappa r = l log2(factor)
    const float fifth = 0.866f * 2.03f * 2.03f * fall2 / 3840.0f;
    of_third[0] = -(15.0f / 48.0f + 420.0f * fifth);
    of_third[1] = -l * (15.0f / 48.0f + 105.0f * fifth);
    of_third[2] = -l * l * (6.0f / 48.0f + 15.0f * fifth);
    of_third[3] = -l * l * l * (1.0f / 48.0f + fifth);
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

/// Staged charges [begin, end) at any distance, which are an even number of charges if the dielectric depends
/// on it.
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
      // Two charges share a reciprocal: p/s + q/t = (p t + q s) / (s t).
      const ColumnView<length> other = places.view<length>(staged[n + 1]);
#pragma unroll
      for (int m = 0; m < columns; ++m)
#pragma unroll
        for (int k = 0; k < length; ++k) {
          const float s = charge.across[m] + charge.along2[k], t = other.across[m] + other.along2[k];
          sum[m][k] = fmaf(fmaf(charge.head.z, t, other.head.z * s), fast_inverse(s * t), sum[m][k]);
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

/// Coulomb terms of staged charges [begin, end) that are far or distant: of eight points four take their own
/// roots.
template <Distance distance>
__device__ inline void add_far(const StagedCharge* staged, int begin, int end, const ColumnPlaces& places,
                               float (&sum)[columns][block_edge]) {
#pragma unroll 2
  for (int n = begin; n < end; ++n) {
    const ColumnView<block_edge> charge = places.view<block_edge>(staged[n]);
#pragma unroll
    for (int m = 0; m < columns; ++m) {
#pragma unroll
      for (int k = 1; k < block_edge; k += 5) {
        const float inverse = fast_inverse_sqrt(charge.across[m] + charge.along2[k]);
        const float inverse2 = inverse * inverse, term = charge.head.z * inverse;
        sum[m][k] += term;
#pragma unroll
        for (int next = k - 1; next <= k + 1; next += 2)
          sum[m][next] =
              fmaf(term, inverse_sqrt_near_1<distance>(charge.along2[next] * inverse2), sum[m][next]);
      }
#pragma unroll
      for (int k = 3; k < 5; ++k)
        sum[m][k] = fmaf(charge.head.z, fast_inverse_sqrt(charge.across[m] + charge.along2[k]), sum[m][k]);
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

/// Screened terms of staged charges [begin, end) that are far, where the screening is slower still. With the
/// reverse Bessel polynomials theta_n, which are what derivatives with respect to r^2 have,
///   exp(-kappa r') / r' = exp(-kappa r) / r * sum over n of theta_n(kappa r) (-v/2)^n / n!,
/// r'^2 = r^2 (1 + v). Terms up to the fourth, and what the third can stand in for of the fifth, leave 1.6e-6
/// of it at 70 spacings and less beyond.
__device__ inline void add_far_screened(const StagedCharge* staged, int end, const ColumnPlaces& places,
                                        const Screening& screening, float (&sum)[columns][block_edge]) {
  // kappa r = l w, with the factor exp2(w)
  constexpr float l = -0.693147181f, l2 = l * l, l3 = l2 * l, l4 = l3 * l;
  const float exponent = screening.exponent;
#pragma unroll 4
  for (int n = 0; n < end; ++n) {
    const ColumnView<block_edge> charge = places.view<block_edge>(staged[n]);
#pragma unroll
    for (int m = 0; m < columns; ++m) {
      constexpr int from = 2, last = 4;
      const float s = charge.across[m] + charge.along2[from], inverse = fast_inverse_sqrt(s);
      const float w = exponent * (s * inverse), term = charge.head.z * fast_exp2(w) * inverse;
      const float inverse2 = inverse * inverse;
      const float c1 = fmaf(w, -l / 2, -0.5f);
      const float c2 = fmaf(w, fmaf(w, l2 / 8, 3 * l / 8), 3.0f / 8);
      const auto& third = screening.of_third;
      const float c3 = fmaf(w, fmaf(w, fmaf(w, third[3], third[2]), third[1]), third[0]);
      const float c4 = fmaf(
          w, fmaf(w, fmaf(w, fmaf(w, l4 / 384, 10 * l3 / 384), 45 * l2 / 384), 105 * l / 384), 105.0f / 384);
      sum[m][from] += term;
#pragma unroll
      for (int k = 0; k <= last; ++k) {
        if (k == from) continue;
        const float v = charge.along2[k] * inverse2;
        sum[m][k] = fmaf(term, fmaf(v, fmaf(v, fmaf(v, fmaf(v, c4, c3), c2), c1), 1.0f), sum[m][k]);
      }
#pragma unroll
      for (int k = last + 1; k < block_edge; ++k) {
        const float t = charge.across[m] + charge.along2[k], of_t = fast_inverse_sqrt(t);
        sum[m][k] = fmaf(charge.head.z * fast_exp2(exponent * (t * of_t)), of_t, sum[m][k]);
      }
    }
  }
}

}  // namespace ionwell::gpu
