// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How ions inflate the bounds of cubes (inflate.hpp), in vectors; a part of bound_kernels_simd.cpp.
#include "electrostatics/simd/vector_math.hpp"
#include "placement/inflate.hpp"
#include "placement/simd/bound_kernels.hpp"

namespace ionwell {
namespace {

constexpr std::size_t inflating_ions = 32;  // that are added together

struct IonToInflateBy {
  InflatingIon ion;
  float x, y, z;  // relative to the cubes' origin
};

void inflate_by(const InflationFrame& frame, const CubeArrays& cubes, std::size_t first, std::size_t last,
                const IonToInflateBy* ions, std::size_t count) {
  IntVector lane;
  for (int l = 0; l < width; ++l) lane[l] = l;
  for (std::size_t c = first; c < last; c += width) {
    const auto at = [&](CubeMember m) { return cubes.member[int(m)] + c; };
    const auto get = [&](CubeMember m) { return load_unaligned(at(m)); };
    const IntVector inside = lane < int(last - c < std::size_t(width) ? last - c : width);
    const IntVector valid = inside & (get(CubeMember::range_lowest) <= get(CubeMember::range_highest));
    const auto put = [&](CubeMember m, FloatVector v) { store_unaligned(at(m), valid ? v : get(m)); };
    const FloatVector cube_x = get(CubeMember::x), cube_y = get(CubeMember::y), cube_z = get(CubeMember::z);
    Inflation<VectorMath> sum = Inflation<VectorMath>::of(get);
    sum.start(frame);
    for (std::size_t i = 0; i < count; ++i)
      sum.add_ion(frame, ions[i].ion, cube_x - ions[i].x, cube_y - ions[i].y, cube_z - ions[i].z);
    sum.finish(frame, int(count));
    sum.keep(put);
    const InflatedBounds<VectorMath> bounds = inflated(frame, ValueBounds<VectorMath>::of(get), sum);
    put(CubeMember::lowest, bounds.lowest);
    put(CubeMember::highest, bounds.highest);
  }
}

void inflate(const CubeArrays& cubes, std::size_t first, std::size_t last, const double* origin_A,
             const InflationFrame& frame, const ChargeArrays& ions, const double* clearance_A) {
  for (std::size_t next = 0; next < ions.count; next += inflating_ions) {
    IonToInflateBy together[inflating_ions];
    const std::size_t count = ions.count - next < inflating_ions ? ions.count - next : inflating_ions;
    for (std::size_t n = 0; n < count; ++n) {
      const std::size_t i = next + n;
      together[n] = {inflating_ion<VectorMath>(frame, float(ions.charge_e[i]), float(clearance_A[i])),
                     float(ions.x_A[i] - origin_A[0]), float(ions.y_A[i] - origin_A[1]),
                     float(ions.z_A[i] - origin_A[2])};
    }
    inflate_by(frame, cubes, first, last, together, count);
  }
}

}  // namespace
}  // namespace ionwell
