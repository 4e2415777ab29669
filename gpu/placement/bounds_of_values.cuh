#pragma once

#include "gpu/lattice/mask.cuh"
#include "gpu/placement/search.hpp"

/// Bounds of one block from its values, by one warp; the twin of CpuField::recompute_bounds.
namespace ionwell::gpu {

constexpr float float_infinity = __builtin_huge_valf();
constexpr float half_ulp = 0x1p-24f;

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

/// Slope of the straight line through `points` values at 0 ... 7 along an axis, by sums.
__device__ inline float line_slope(float points, float x, float xx, float value, float x_value) {
  const float variance = points * xx - x * x;
  return variance > 0.0f ? (points * x_value - x * value) / variance : 0.0f;
}

/// What a search needs to know of a block that was just recomputed: an ion's lowest energy there, by the
/// lattice, and how far that may be from the exact one.
struct LowestHere {
  float lowest = float_infinity, highest = -float_infinity;  // of the available values
  float error_kT_e = 0.0f;
};

/// Sets the bounds of a slot, whose values contain all `ions`. When its values have `changed`, `added_error`
/// and their own rounding go to its error.
__device__ inline LowestHere recompute_bounds(const SearchArrays& arrays, std::int64_t slot,
                                              std::uint32_t ions, float added_error, bool changed) {
  const int lane = int(threadIdx.x) % warp_size;
  const std::int64_t cube = arrays.cube_of(slot);
  const auto put = [&](CubeMember m, float x) {
    if (lane == 0) arrays.cubes.member[int(m)][cube] = x;
  };
  const float* values = arrays.blocks.values + block_points * slot;
  const std::uint32_t mine =
      load_mask(arrays.mask + mask_words * std::int64_t(arrays.blocks.numbers[slot]), lane);
  float value[2 * mask_words];
#pragma unroll
  for (int n = 0; n < 2 * mask_words; ++n) value[n] = values[warp_size * n + lane];
  LowestHere here;
#pragma unroll
  for (int n = 0; n < 2 * mask_words; ++n)
    if (mine >> n & 1) {
      here.lowest = fminf(here.lowest, value[n]);
      here.highest = fmaxf(here.highest, value[n]);
    }
  here.lowest = warp_min(here.lowest);
  here.highest = warp_max(here.highest);
  if (lane == 0) arrays.bounded[cube] = ions;
  for (const CubeMember m :
       {CubeMember::shift_lowest, CubeMember::shift_highest, CubeMember::slope_x, CubeMember::slope_y,
        CubeMember::slope_z, CubeMember::xx, CubeMember::yy, CubeMember::zz, CubeMember::xy, CubeMember::xz,
        CubeMember::yz, CubeMember::remainder})
    put(m, 0.0f);
  if (here.lowest > here.highest) {
    for (const CubeMember m : {CubeMember::range_lowest, CubeMember::lowest}) put(m, float_infinity);
    for (const CubeMember m : {CubeMember::range_highest, CubeMember::highest}) put(m, -float_infinity);
    return here;
  }
  const float largest = fmaxf(fabsf(here.lowest), fabsf(here.highest));
  here.error_kT_e = arrays.error_kT_e[slot];
  if (changed) here.error_kT_e = (here.error_kT_e + added_error + half_ulp * largest) * 1.000001f;
  __syncwarp();
  if (lane == 0) arrays.error_kT_e[slot] = here.error_kT_e;
  // Without refinement values are compared with each other, and both sides carry the error.
  const double margin = (arrays.refine ? 1.0 : 2.0) * double(here.error_kT_e);
  const float lowest = __double2float_rd(double(here.lowest) - margin),
              highest = __double2float_ru(double(here.highest) + margin);
  for (const CubeMember m : {CubeMember::range_lowest, CubeMember::lowest}) put(m, lowest);
  for (const CubeMember m : {CubeMember::range_highest, CubeMember::highest}) put(m, highest);

  // The plane through the values that fits best axis by axis; any would do.
  const float x = float(lane % block_edge), y0 = float(lane / block_edge), y1 = y0 + 4.0f;
  float count = 0, of_y = 0, of_yy = 0, of_z = 0, of_zz = 0, sum = 0, sum_y = 0, sum_z = 0;
#pragma unroll
  for (int n = 0; n < 2 * mask_words; ++n)
    if (mine >> n & 1) {
      const float y = n % 2 == 0 ? y0 : y1, z = float(n / 2), v = value[n] - here.lowest;
      count += 1.0f;
      of_y += y;
      of_yy += y * y;
      of_z += z;
      of_zz += z * z;
      sum += v;
      sum_y += y * v;
      sum_z += z * v;
    }
  const float of_x = warp_sum(x * count), of_xx = warp_sum(x * x * count), sum_x = warp_sum(x * sum);
  count = warp_sum(count);
  sum = warp_sum(sum);
  const float slope_x = line_slope(count, of_x, of_xx, sum, sum_x);
  const float slope_y = line_slope(count, warp_sum(of_y), warp_sum(of_yy), sum, warp_sum(sum_y));
  const float slope_z = line_slope(count, warp_sum(of_z), warp_sum(of_zz), sum, warp_sum(sum_z));
  constexpr float middle = 0.5f * (block_edge - 1);
  float low = float_infinity, high = -float_infinity;
#pragma unroll
  for (int n = 0; n < 2 * mask_words; ++n)
    if (mine >> n & 1) {
      const float y = n % 2 == 0 ? y0 : y1, z = float(n / 2);
      const float rest =
          value[n] - (slope_x * (x - middle) + slope_y * (y - middle) + slope_z * (z - middle));
      low = fminf(low, rest);
      high = fmaxf(high, rest);
    }
  low = warp_min(low);
  high = warp_max(high);
  const Vec3<double>& h = arrays.blocks.lattice.spacing_A;
  // Taking the plane away rounds, too: three numbers no larger than the plane's highest point.
  const double plane = 4.0 * (double(fabsf(slope_x)) + double(fabsf(slope_y)) + double(fabsf(slope_z)));
  const double plane_margin = margin + 4 * double(half_ulp) * (plane + double(largest));
  put(CubeMember::plane_lowest, __double2float_rd(double(low) - plane_margin));
  put(CubeMember::plane_highest, __double2float_ru(double(high) + plane_margin));
  put(CubeMember::plane_slope_x, float(slope_x / h.x));
  put(CubeMember::plane_slope_y, float(slope_y / h.y));
  put(CubeMember::plane_slope_z, float(slope_z / h.z));
  return here;
}

/// An upper bound on |potential| of a charge at points within `slack_A` of `centre_A` and not within
/// `clearance_A` of the charge; the weight is |charge| times prefactor.
__device__ inline float magnitude_term(const PairPotential& pair, const Vec3<double>& centre_A, float slack_A,
                                       float clearance_A, const PointCharge& charge) {
  const float x = float(charge.position_A.x - centre_A.x), y = float(charge.position_A.y - centre_A.y),
              z = float(charge.position_A.z - centre_A.z);
  const float d = fmaxf(sqrtf(x * x + y * y + z * z) * 0.99999f - slack_A,
                        fmaxf(clearance_A, float(smallest_distance_A)));
  const float inverse = 1.00001f / d;
  float term = fabsf(float(pair.prefactor * charge.charge_e)) * inverse;
  if (pair.kind == Kind::distance_dependent) term *= inverse;
  if (pair.kind ==
      Kind::debye_hueckel) {  // with the exponential's own rounding, which grows with its argument
    const float kd = float(pair.kappa_per_A) * d;
    term *= (1.0f + kd) * expf(-kd) * 1.00001f;
  }
  return term;
}

/// From the centre of a block to its corners, and its centre.
__device__ inline float block_slack_A(const Vec3<double>& h) {
  return float(0.5 * (block_edge - 1) * sqrt(dot(h, h))) * 1.00001f;
}
__device__ inline Vec3<double> block_centre_A(const BlockFrameD& frame, const Vec3<double>& h) {
  return frame.first_A + (0.5 * (block_edge - 1)) * h;
}

}  // namespace ionwell::gpu
