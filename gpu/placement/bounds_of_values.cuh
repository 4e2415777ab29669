// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "electrostatics/charge_terms.hpp"
#include "gpu/lattice/mask.cuh"
#include "gpu/placement/search.hpp"
#include "placement/block_bounds.hpp"

/// Bounds of one block from its values, by one warp; the twin of CpuField::recompute_bounds.
namespace ionwell::gpu {

constexpr float float_infinity = __builtin_huge_valf();
constexpr double double_infinity = __builtin_huge_val();

template <typename T, typename Combine>
__device__ inline T reduce_warp(T x, const Combine& combine) {
#pragma unroll
  for (int d = 16; d > 0; d /= 2) x = combine(x, __shfl_xor_sync(full_warp, x, d));
  return x;
}

template <typename T>
__device__ inline T warp_sum(T x) {
  return reduce_warp(x, [](T a, T b) { return a + b; });
}
__device__ inline float warp_min(float x) {
  return reduce_warp(x, [](float a, float b) { return fminf(a, b); });
}
__device__ inline float warp_max(float x) {
  return reduce_warp(x, [](float a, float b) { return fmaxf(a, b); });
}

/// A lane's points of a block, point lane + 32 n being number n: x is the same for all, y one of two.
struct LaneValues {
  float value[2 * mask_words];
  std::uint32_t available;  // bit n: number n

  __device__ LaneValues(const SearchArrays& arrays, std::int64_t slot)
      : available(load_mask(arrays.mask + mask_words * std::int64_t(arrays.blocks.numbers[slot]), lane())) {
    const float* values = arrays.blocks.values + block_points * slot;
#pragma unroll
    for (int n = 0; n < 2 * mask_words; ++n) value[n] = values[warp_size * n + lane()];
  }

  __device__ static int lane() {
    return int(threadIdx.x) % warp_size;
  }
  __device__ static float x() {
    return float(lane() % block_edge);
  }
  __device__ static float y(int n) {
    return n % 2 == 0 ? float(lane() / block_edge) : float(lane() / block_edge) + 4.0f;
  }
  __device__ static float z(int n) {
    return float(n / 2);
  }
};

/// Range of take(n) over the available points of all lanes.
template <typename Take>
__device__ inline ValueRange range_over_warp(const LaneValues& values, const Take& take) {
  ValueRange range{float_infinity, -float_infinity};
#pragma unroll
  for (int n = 0; n < 2 * mask_words; ++n)
    if (values.available >> n & 1) {
      const float v = take(n);
      range.lowest = fminf(range.lowest, v);
      range.highest = fmaxf(range.highest, v);
    }
  return {warp_min(range.lowest), warp_max(range.highest)};
}

/// Slope of the straight line through `points` values at 0 ... 7 along an axis, by sums.
__device__ inline float line_slope(float points, float x, float xx, float value, float x_value) {
  const float variance = points * xx - x * x;
  return variance > 0.0f ? (points * x_value - x * value) / variance : 0.0f;
}

/// Slope of the plane through the values that fits best axis by axis, from one point to the next; any plane
/// would do. Values are taken from `level`, to lose no digits to it.
__device__ inline Vec3<float> plane_slope(const LaneValues& values, float level) {
  float count = 0, of_y = 0, of_yy = 0, of_z = 0, of_zz = 0, sum = 0, sum_y = 0, sum_z = 0;
#pragma unroll
  for (int n = 0; n < 2 * mask_words; ++n)
    if (values.available >> n & 1) {
      const float y = values.y(n), z = values.z(n), v = values.value[n] - level;
      count += 1.0f;
      of_y += y;
      of_yy += y * y;
      of_z += z;
      of_zz += z * z;
      sum += v;
      sum_y += y * v;
      sum_z += z * v;
    }
  const float x = values.x();
  const float of_x = warp_sum(x * count), of_xx = warp_sum(x * x * count), sum_x = warp_sum(x * sum);
  count = warp_sum(count);
  sum = warp_sum(sum);
  return {line_slope(count, of_x, of_xx, sum, sum_x),
          line_slope(count, warp_sum(of_y), warp_sum(of_yy), sum, warp_sum(sum_y)),
          line_slope(count, warp_sum(of_z), warp_sum(of_zz), sum, warp_sum(sum_z))};
}

/// Range of the values less the plane through the block's centre with this slope.
__device__ inline ValueRange range_above_plane(const LaneValues& values, const Vec3<float>& slope) {
  constexpr float middle = 0.5f * (block_edge - 1);
  return range_over_warp(values, [&](int n) {
    return values.value[n] - (slope.x * (values.x() - middle) + slope.y * (values.y(n) - middle) +
                              slope.z * (values.z(n) - middle));
  });
}

/// What a search needs to know of a block that was just brought up to date.
struct RangeWithError {
  ValueRange range{float_infinity, -float_infinity};  // of the available values
  float error_kT_e = 0.0f;                            // |value - exact|, at most
};

/// Sets the bounds of a slot, whose values contain all `ions`. When its values have `changed`, `added_error`
/// and their own rounding go to its error.
__device__ inline RangeWithError recompute_bounds(const SearchArrays& arrays, std::int64_t slot,
                                                  std::uint32_t ions, float added_error, bool changed) {
  const bool first_lane = LaneValues::lane() == 0;
  const std::int64_t cube = arrays.cube_of(slot);
  const auto put = [&](CubeMember m, float x) {
    if (first_lane) arrays.cubes.member[int(m)][cube] = x;
  };
  const LaneValues values(arrays, slot);
  RangeWithError here{range_over_warp(values, [&](int n) { return values.value[n]; })};
  if (first_lane) arrays.bounded[cube] = ions;
  if (here.range.lowest > here.range.highest) {
    BlockBounds{}.keep(put);
    return here;
  }
  here.error_kT_e = arrays.error_kT_e[slot];
  if (changed) here.error_kT_e = error_of_changed(here.error_kT_e, added_error, largest_size(here.range));
  __syncwarp();
  if (first_lane) arrays.error_kT_e[slot] = here.error_kT_e;
  const Vec3<float> slope = plane_slope(values, here.range.lowest);
  const ValueRange rest = range_above_plane(values, slope);
  block_bounds({here.range, rest, slope, here.error_kT_e}, arrays.refine, arrays.blocks.lattice.spacing_A)
      .keep(put);
  return here;
}

/// For magnitude_term: numbers with room for their rounding.
struct RoomyMath {
  using Real = float;

  __device__ static float broadcast(float x) { return x; }
  __device__ static float larger(float a, float b) { return fmaxf(a, b); }
  __device__ static float root_at_most(float r2) { return sqrtf(r2) * 0.99999f; }
  __device__ static float inverse_at_least(float x) { return 1.00001f / x; }
  __device__ static float screening_at_least(float x) { return (1.0f + x) * expf(-x) * 1.00001f; }
};

/// An upper bound on |potential| of a charge at points within `slack_A` of `centre_A` and not within
/// `clearance_A` of the charge.
__device__ inline float magnitude_of(const PairPotential& pair, const Vec3<double>& centre_A, float slack_A,
                                     float clearance_A, const PointCharge& charge) {
  return magnitude_term<RoomyMath>(
      pair, {slack_A, fmaxf(clearance_A, float(smallest_distance_A))},
      fabsf(float(pair.prefactor * charge.charge_e)), float(charge.position_A.x - centre_A.x),
      float(charge.position_A.y - centre_A.y), float(charge.position_A.z - centre_A.z));
}

/// From the centre of a block to its corners, and its centre.
__device__ inline float block_slack_A(const Vec3<double>& h) {
  return float(0.5 * (block_edge - 1) * sqrt(dot(h, h))) * 1.00001f;
}
__device__ inline Vec3<double> block_centre_A(const BlockFrameD& frame, const Vec3<double>& h) {
  return frame.first_A + (0.5 * (block_edge - 1)) * h;
}

}  // namespace ionwell::gpu
