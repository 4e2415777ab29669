// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "gpu/placement/bounds_of_values.cuh"

/// How ions inflate the bounds of cubes (inflate.hpp).
namespace ionwell::gpu {

/// Single cubes, for inflate.hpp.
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

/// A cube's centre, relative to the lattice's first point.
__device__ inline Vec3<float> cube_centre_A(const SearchArrays& arrays, std::uint32_t block) {
  const Vec3<std::uint32_t> at =
      block_at(block, std::uint32_t(arrays.block_counts.x), std::uint32_t(arrays.block_counts.y));
  constexpr float middle = 0.5f * (block_edge - 1);
  const auto along = [](std::uint32_t n, float high, float low) {
    const float point = fmaf(float(n), float(block_edge), middle);
    return fmaf(point, high, point * low);
  };
  return {along(at.x, arrays.spacing_high_A.x, arrays.spacing_low_A.x),
          along(at.y, arrays.spacing_high_A.y, arrays.spacing_low_A.y),
          along(at.z, arrays.spacing_high_A.z, arrays.spacing_low_A.z)};
}

/// Inflates a cube for good by the ions that its bounds do not contain yet, and returns the lowest energy
/// that an ion of the task's charge may have there, rounded down.
__device__ inline float inflate_cube(const SearchArrays& arrays, const SearchTask& task, std::int64_t cube) {
  const auto get = [&](CubeMember m) { return arrays.cubes.member[int(m)][cube]; };
  const ValueBounds<ScalarMath> values = ValueBounds<ScalarMath>::of(get);
  if (!(values.range_lowest <= values.range_highest)) return float_infinity;
  Inflation<ScalarMath> sum = Inflation<ScalarMath>::of(get);
  const std::uint32_t contained = arrays.bounded[cube];
  const Vec3<float> centre = cube_centre_A(arrays, arrays.block_of_cube[cube]);
  const Vec3<double> origin = arrays.blocks.lattice.first_point_A();
  sum.start(arrays.frame);
  for (std::uint32_t i = contained; i < task.ions; ++i) {
    const IonOnDevice ion = ion_of(arrays, task, i);
    const Vec3<double>& at = ion.charge.position_A;
    sum.add_ion(arrays.frame,
                inflating_ion<ScalarMath>(arrays.frame, float(ion.charge.charge_e), ion.clearance_A),
                centre.x - float(at.x - origin.x), centre.y - float(at.y - origin.y),
                centre.z - float(at.z - origin.z));
  }
  sum.finish(arrays.frame, int(task.ions - contained));
  const InflatedBounds<ScalarMath> bounds = inflated(arrays.frame, values, sum);
  const auto put = [&](CubeMember m, float v) { arrays.cubes.member[int(m)][cube] = v; };
  if (contained < task.ions) {
    sum.keep(put);
    put(CubeMember::lowest, bounds.lowest);
    put(CubeMember::highest, bounds.highest);
    arrays.bounded[cube] = task.ions;
  }
  return __double2float_rd(task.charge_e * double(task.charge_e > 0.0 ? bounds.lowest : bounds.highest));
}

/// An ion that not all bounds contain, in shared memory.
struct PendingIon {
  Vec3<float> position_A;  // relative to the lattice's first point
  float strength;          // prefactor * charge
  float clearance_A;
};

__device__ inline PendingIon pending_ion(const SearchArrays& arrays, const SearchTask& task,
                                         std::uint32_t i) {
  const IonOnDevice ion = ion_of(arrays, task, i);
  const Vec3<double> at = ion.charge.position_A - arrays.blocks.lattice.first_point_A();
  return {{float(at.x), float(at.y), float(at.z)},
          arrays.frame.prefactor * float(ion.charge.charge_e),
          fmaxf(0.9999f * ion.clearance_A, float(smallest_distance_A))};
}

/// What the bounds of a cube say and what is needed to let it feel the ions that they do not contain.
struct CubeRecord {
  float known;  // lowest potential, or highest for a negative ion, before those ions
  std::uint32_t block;
  std::uint32_t contained;
};

__device__ inline CubeRecord read_cube(const SearchArrays& arrays, const SearchTask& task,
                                       std::int64_t cube) {
  const CubeMember m = task.charge_e > 0.0 ? CubeMember::lowest : CubeMember::highest;
  return {arrays.cubes.member[int(m)][cube], arrays.block_of_cube[cube], arrays.bounded[cube]};
}

/// The lowest energy that an ion of the task's charge may have in a cube, rounded down, from bounds that do
/// not contain all ions: each of those acts there as from the cube's nearest point, or its farthest. Not as
/// good as inflate_cube, but of a cube it reads three numbers and writes none.
__device__ inline float shifted_bound(const SearchArrays& arrays, const SearchTask& task,
                                      const PendingIon* pending, const CubeRecord& cube) {
  if (!(fabsf(cube.known) < float_infinity)) return float_infinity;  // nothing available
  // What fp32 coordinates may be off by: a part of the distance, and one that grows with the lattice.
  constexpr float least_position_A = 1e-3f, position_part = 1e-5f;
  const Vec3<float> centre = cube_centre_A(arrays, cube.block);
  const bool positive = task.charge_e > 0.0;
  const float half = arrays.frame.half + fmaxf(least_position_A, arrays.frame.slack);
  float shift = 0.0f, size = 0.0f;
  const std::uint32_t last = task.ions - task.bounded;
  for (std::uint32_t i = cube.contained - task.bounded; i < last; ++i) {
    const PendingIon& ion = pending[i];
    const float x = centre.x - ion.position_A.x, y = centre.y - ion.position_A.y,
                z = centre.z - ion.position_A.z;
    const float r2 = fmaxf(x * x + y * y + z * z, 1e-6f), r = r2 * fast_inverse_sqrt(r2);
    const bool repels = (ion.strength > 0.0f) == positive;
    const float d = repels ? fmaf(r, 1.0f + position_part, half)
                           : fmaxf(fmaf(r, 1.0f - position_part, -half), ion.clearance_A);
    const float v = potential_of<ScalarMath>(arrays.frame, ion.strength, d * d, fast_inverse(d));
    shift += v;
    size += fabsf(v);
  }
  // Each sum rounds by at most 2^-24 of all there is; a term as in inflate.hpp.
  const float sums = float(last - (cube.contained - task.bounded) + 2);
  const double margin = double(arrays.frame.rounding * size + 1.2e-7f * sums * (size + fabsf(cube.known)));
  return __double2float_rd(task.charge_e * (double(cube.known) + double(shift)) -
                           fabs(task.charge_e) * margin);
}

}  // namespace ionwell::gpu
