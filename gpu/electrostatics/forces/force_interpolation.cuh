#pragma once

#include <cuda_runtime.h>

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
    const Face a(low, p.ty, p.tz), b(high, p.ty, p.tz);
    const float by_x = b.value - a.value;
    return {a.value + p.tx * by_x, by_x, a.by_y + p.tx * (b.by_y - a.by_y),
            a.by_z + p.tx * (b.by_z - a.by_z)};
  }

 private:
  /// On a face of the cell.
  struct Face {
    float value, by_y, by_z;

    __device__ Face(const float4& v, float ty, float tz) {
      const float dy0 = v.y - v.x, dy1 = v.w - v.z, z0 = v.x + ty * dy0, z1 = v.z + ty * dy1;
      by_y = dy0 + tz * (dy1 - dy0);
      by_z = z1 - z0;
      value = z0 + tz * by_z;
    }
  };
};

/// The cubic B-splines that are not 0 in a cell, and their derivatives.
struct SplineWeightsOnDevice {
  float w[4], d[4];

  explicit __device__ SplineWeightsOnDevice(float t) {
    const float s = 1.0f - t, t2 = t * t, s2 = s * s;
    w[0] = s2 * s * (1.0f / 6.0f);
    w[1] = (2.0f / 3.0f) - t2 * (1.0f - 0.5f * t);
    w[2] = (2.0f / 3.0f) - s2 * (1.0f - 0.5f * s);
    w[3] = t2 * t * (1.0f / 6.0f);
    d[0] = -0.5f * s2;
    d[1] = t * (1.5f * t - 2.0f);
    d[2] = s * (2.0f - 1.5f * s);
    d[3] = 0.5f * t2;
  }
};

struct CubicSplineOnDevice {
  template <typename Quads>
  static __device__ InterpolatedPotential at(const Quads& quads, const CellPlace& p) {
    const SplineWeightsOnDevice x(p.tx), y(p.ty), z(p.tz);
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
