#pragma once

#include "tighten.cuh"

/// How ions widen the bounds of cubes (widen.hpp).
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

/// Widens a cube by the ions that the bounds do not contain yet, and returns the lowest energy that an ion of
/// the task's charge may have there, rounded down.
__device__ inline float widen_cube(const SearchArrays& arrays, const SearchTask& task, std::int64_t cube) {
  const auto get = [&](CubeMember m) { return arrays.cubes.member[int(m)][cube]; };
  const ValueBounds<ScalarMath> values{get(CubeMember::range_lowest),  get(CubeMember::range_highest),
                                       get(CubeMember::plane_lowest),  get(CubeMember::plane_highest),
                                       get(CubeMember::plane_slope_x), get(CubeMember::plane_slope_y),
                                       get(CubeMember::plane_slope_z)};
  if (!(values.range_lowest <= values.range_highest)) return float_infinity;
  Widening<ScalarMath> sum{get(CubeMember::shift_lowest), get(CubeMember::shift_highest),
                           get(CubeMember::slope_x),      get(CubeMember::slope_y),
                           get(CubeMember::slope_z),      get(CubeMember::xx),
                           get(CubeMember::yy),           get(CubeMember::zz),
                           get(CubeMember::xy),           get(CubeMember::xz),
                           get(CubeMember::yz),           get(CubeMember::remainder),
                           0.0f,                          0.0f};
  if (task.bounded < task.ions) {
    const float x = get(CubeMember::x), y = get(CubeMember::y), z = get(CubeMember::z);
    const Vec3<double>& origin = arrays.blocks.lattice.origin_A;
    sum.start(arrays.frame);
    for (std::uint32_t i = task.bounded; i < task.ions; ++i) {
      const IonOnDevice ion = ion_of(arrays, task, i);
      const Vec3<double>& at = ion.charge.position_A;
      sum.add_ion(arrays.frame,
                  widening_ion<ScalarMath>(arrays.frame, float(ion.charge.charge_e), ion.clearance_A),
                  x - float(at.x - origin.x), y - float(at.y - origin.y), z - float(at.z - origin.z));
    }
    sum.finish(int(task.ions - task.bounded));
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
  const WidenedBounds<ScalarMath> bounds = widened(arrays.frame, values, sum);
  return __double2float_rd(task.charge_e * double(task.charge_e > 0.0 ? bounds.lowest : bounds.highest));
}

}  // namespace ionwell::gpu
