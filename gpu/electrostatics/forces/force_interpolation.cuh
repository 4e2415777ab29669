// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime.h>

#include "core/geometry/spline_in_cell.hpp"
#include "core/geometry/trilinear.hpp"

/// A potential and its gradient at a place, from nodes on the device; InterpolationNodes
/// (lib/electrostatics/interpolated) has what nodes are.
namespace ionwell::gpu {

/// How positions become places in cells, as lib's kernels have it.
struct CellFrame {
  double origin_A[3];
  double points_per_A[3];  // 1 / spacing
  double last_point[3];
  float slope_per_A[3];  // 1 / spacing, 0 along an axis of one point
  int last_cell[3];
};

/// A cell's number, and where in it, 0 to 1.
struct CellPlace {
  int i, j, k;
  float tx, ty, tz;
};

/// The potential, and its derivatives by axis in units of one spacing.
struct InterpolatedPotential {
  float value, by_x, by_y, by_z;
};

/// Nodes in fours: (i,j,k), (i,j+1,k), (i,j,k+1), (i,j+1,k+1), i fastest.
struct PackedQuads {
  const float4* quads;
  int row, plane;

  __device__ float4 operator()(int i, int j, int k) const { return __ldg(quads + (i + row * j + plane * k)); }
};

struct TrilinearOnDevice {
  template <typename Quads>
  static __device__ InterpolatedPotential at(const Quads& quads, const CellPlace& p) {
    const float4 low = quads(p.i, p.j, p.k), high = quads(p.i + 1, p.j, p.k);
    const ValueInCell<float> at =
        trilinear_in_cell(trilinear_on_face(low.x, low.y, low.z, low.w, p.ty, p.tz),
                          trilinear_on_face(high.x, high.y, high.z, high.w, p.ty, p.tz), p.tx);
    return {at.value, at.by_w, at.by_u, at.by_v};
  }
};

struct CubicSplineOnDevice {
  template <typename Quads>
  static __device__ InterpolatedPotential at(const Quads& quads, const CellPlace& p) {
    const SplinesInCell<float> x(p.tx), y(p.ty), z(p.tz);
    InterpolatedPotential sum{};
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      float value = 0.0f, by_y = 0.0f, by_z = 0.0f;
#pragma unroll
      for (int k = 0; k < 4; k += 2)
#pragma unroll
        for (int j = 0; j < 4; j += 2) {
          const float4 v = quads(p.i + i, p.j + j, p.k + k);
          const float z0 = v.x * y.w[j] + v.y * y.w[j + 1], z1 = v.z * y.w[j] + v.w * y.w[j + 1];
          value += z0 * z.w[k] + z1 * z.w[k + 1];
          by_z += z0 * z.d[k] + z1 * z.d[k + 1];
          by_y += (v.x * y.d[j] + v.y * y.d[j + 1]) * z.w[k] + (v.z * y.d[j] + v.w * y.d[j + 1]) * z.w[k + 1];
        }
      sum.value += x.w[i] * value;
      sum.by_x += x.d[i] * value;
      sum.by_y += x.w[i] * by_y;
      sum.by_z += x.w[i] * by_z;
    }
    return sum;
  }
};

/// Finds the cell of a position, in fp64 and by the rules of InterpolatedForces; false outside of the
/// lattice, for a place in the first cell then.
inline __device__ bool find_cell(const CellFrame& frame, const double* at_A, CellPlace* place) {
  constexpr double same_point = 1e-6;  // nearer to a lattice point than this, in spacings, is on it
  int cell[3];
  float t[3];
  bool is_inside = true;
#pragma unroll
  for (int axis = 0; axis < 3; ++axis) {
    double u = (at_A[axis] - frame.origin_A[axis]) * frame.points_per_A[axis];
    const double nearest = rint(u);
    if (fabs(u - nearest) <= same_point) u = nearest;
    const bool is_between = u >= 0.0 && u <= frame.last_point[axis];
    is_inside = is_inside && is_between;
    cell[axis] = is_between ? min(int(u), frame.last_cell[axis]) : 0;
    t[axis] = is_between ? float(u - double(cell[axis])) : 0.0f;
  }
  *place = {cell[0], cell[1], cell[2], t[0], t[1], t[2]};
  return is_inside;
}

}  // namespace ionwell::gpu
