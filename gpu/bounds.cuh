#pragma once

#include "tighten.cuh"

/// How ions widen the bounds of cubes and of tiles of cubes (widen.hpp).
namespace ionwell::gpu {

/// Single cubes, for widen.hpp.
struct ScalarMath {
  using Real = float;
  using Mask = bool;

  __device__ static float broadcast(float x) { return x; }
  __device__ static float absolute(float x) { return fabsf(x); }
  __device__ static float smaller(float a, float b) { return fminf(a, b); }
  __device__ static float larger(float a, float b) { return fmaxf(a, b); }
  __device__ static float inverse_sqrt(float x) { return fast_inverse_sqrt(x); }
  __device__ static float exp_of_negative(float x) { return fast_exp2(fmaxf(x * 1.44269504f, -126.0f)); }
  __device__ static bool any(bool mask) { return mask; }
};

/// The ion of this number; the newest one comes with the task.
__device__ inline IonOnDevice ion_of(const SearchArrays& arrays, const SearchTask& task, std::uint32_t i) {
  if (i == task.new_ion) return task.ion;
  return {arrays.ions[i], arrays.ion_limit_A2[i], arrays.ion_clearance_A[i]};
}

/// Widens a cube by ions [first, task.ions). An empty cube has lowest > highest.
__device__ inline WidenedBounds<ScalarMath> widen_cube(const SearchArrays& arrays, const SearchTask& task,
                                                       std::uint32_t first, std::int64_t cube) {
  const auto get = [&](CubeMember m) { return arrays.cubes.member[int(m)][cube]; };
  const ValueBounds<ScalarMath> values{get(CubeMember::range_lowest),  get(CubeMember::range_highest),
                                       get(CubeMember::plane_lowest),  get(CubeMember::plane_highest),
                                       get(CubeMember::plane_slope_x), get(CubeMember::plane_slope_y),
                                       get(CubeMember::plane_slope_z)};
  if (!(values.range_lowest <= values.range_highest)) return {float_infinity, -float_infinity};
  Widening<ScalarMath> sum{get(CubeMember::shift_lowest), get(CubeMember::shift_highest),
                           get(CubeMember::slope_x),      get(CubeMember::slope_y),
                           get(CubeMember::slope_z),      get(CubeMember::xx),
                           get(CubeMember::yy),           get(CubeMember::zz),
                           get(CubeMember::xy),           get(CubeMember::xz),
                           get(CubeMember::yz),           get(CubeMember::remainder)};
  if (first < task.ions) {
    const float x = get(CubeMember::x), y = get(CubeMember::y), z = get(CubeMember::z);
    const Vec3<double>& origin = arrays.blocks.lattice.origin_A;
    for (std::uint32_t i = first; i < task.ions; ++i) {
      const IonOnDevice ion = ion_of(arrays, task, i);
      const Vec3<double>& at = ion.charge.position_A;
      sum.add_ion(arrays.frame, float(ion.charge.charge_e), ion.clearance_A, x - float(at.x - origin.x),
                  y - float(at.y - origin.y), z - float(at.z - origin.z), true);
    }
    const auto put = [&](CubeMember m, float v) { arrays.cubes.member[int(m)][cube] = v; };
    put(CubeMember::shift_lowest, sum.low);
    put(CubeMember::shift_highest, sum.high);
    put(CubeMember::slope_x, sum.slope_x);
    put(CubeMember::slope_y, sum.slope_y);
    put(CubeMember::slope_z, sum.slope_z);
    put(CubeMember::xx, sum.xx);
    put(CubeMember::yy, sum.yy);
    put(CubeMember::zz, sum.zz);
    put(CubeMember::xy, sum.xy);
    put(CubeMember::xz, sum.xz);
    put(CubeMember::yz, sum.yz);
    put(CubeMember::remainder, sum.remainder);
  }
  return widened(arrays.frame, values, sum);
}

/// The lowest energy that an ion of this charge may have between two potentials, rounded down.
__device__ inline float energy_bound_kT(double charge_e, float lowest, float highest) {
  if (!(lowest <= highest)) return float_infinity;
  return __double2float_rd(charge_e * double(charge_e > 0.0 ? lowest : highest));
}

__device__ inline Best better(Best a, Best b) {
  if (a.bound_kT != b.bound_kT) return a.bound_kT < b.bound_kT ? a : b;
  return a.cube < b.cube ? a : b;
}

__device__ inline Best best_of_warp(Best best) {
  for (int d = 16; d > 0; d /= 2)
    best = better(best,
                  {__shfl_xor_sync(full_warp, best.bound_kT, d), __shfl_xor_sync(full_warp, best.cube, d)});
  return best;
}

/// Notes the best cube of a tile whose cubes are up to date; by a warp.
__device__ inline void note_best(const SearchArrays& arrays, std::int64_t tile) {
  const int lane = int(threadIdx.x) % warp_size;
  const std::int64_t cube = tile * tile_cubes + lane;
  const Best best = best_of_warp({arrays.bound_kT[cube], std::uint32_t(cube)});
  if (lane == 0) arrays.tile_best[tile] = best;
  __syncwarp();
}

/// Brings the cubes of a tile up to date; by a warp.
__device__ inline void refresh_tile(const SearchArrays& arrays, const SearchTask& task, std::int64_t tile) {
  const int lane = int(threadIdx.x) % warp_size;
  const std::int64_t cube = tile * tile_cubes + lane;
  const std::uint32_t first = arrays.tiles[tile].ions;
  WidenedBounds<ScalarMath> bounds{float_infinity, -float_infinity};
  if (arrays.slot_of_cube(cube) < arrays.blocks.count) bounds = widen_cube(arrays, task, first, cube);
  arrays.bound_kT[cube] = energy_bound_kT(task.charge_e, bounds.lowest, bounds.highest);
  const float lowest = warp_min(bounds.lowest), highest = warp_max(bounds.highest);
  __syncwarp();
  if (lane == 0) {
    Tile& t = arrays.tiles[tile];
    t.lowest = lowest;
    t.highest = highest;
    t.ions = task.ions;
  }
  note_best(arrays, tile);
}

/// Widens a tile's own bounds by ions that it does not contain yet, as if all of the ion's potential between
/// its nearest and its farthest point could be at the lowest one.
__device__ inline void widen_tile(const SearchArrays& arrays, const SearchTask& task, Tile& tile) {
  const Vec3<double>& origin = arrays.blocks.lattice.origin_A;
  for (std::uint32_t i = task.bounded; i < task.ions; ++i) {
    const IonOnDevice ion = ion_of(arrays, task, i);
    const float at[3] = {float(ion.charge.position_A.x - origin.x), float(ion.charge.position_A.y - origin.y),
                         float(ion.charge.position_A.z - origin.z)};
    float nearest2 = 0.0f, farthest2 = 0.0f;
    for (int axis = 0; axis < 3; ++axis) {
      const float below = tile.lowest_A[axis] - at[axis], above = at[axis] - tile.highest_A[axis];
      constexpr float slack_A = 1e-3f;  // more than fp32 coordinates lose
      const float gap = fmaxf(fmaxf(below, above) - slack_A, 0.0f);
      const float reach = fmaxf(tile.highest_A[axis] - at[axis], at[axis] - tile.lowest_A[axis]);
      nearest2 += gap * gap;
      farthest2 += reach * reach;
    }
    const float least = fmaxf(ion.clearance_A * 0.99999f, float(smallest_distance_A));
    const float near2 = fmaxf(nearest2 * 0.9999f, least * least), far2 = fmaxf(farthest2 * 1.0001f, near2);
    const float over_near = fast_inverse_sqrt(near2), over_far = fast_inverse_sqrt(far2);
    const float charge = float(ion.charge.charge_e);
    const float strong = charge * radial<ScalarMath>(arrays.frame, near2 * over_near, over_near).value;
    const float weak = charge * radial<ScalarMath>(arrays.frame, far2 * over_far, over_far).value;
    const float rest = widen_rounding * fabsf(strong);
    tile.lowest = __fadd_rd(tile.lowest, __fsub_rd(fminf(strong, weak), rest));
    tile.highest = __fadd_ru(tile.highest, __fadd_ru(fmaxf(strong, weak), rest));
  }
}

}  // namespace ionwell::gpu
