// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "electrostatics/poisson_boltzmann/solver/axis_coarsening.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_level.hpp"
#include "electrostatics/poisson_boltzmann/solver/red_black/red_black_lattice.hpp"
#include "electrostatics/simd/simd_level.hpp"

namespace ionwell {

/// The inner loops of a finest lattice whose colours are apart, each for the inner points of plane `k`, 0 < k
/// < nz - 1; plain arrays, see simd_level.hpp. Pointers are to planes of a half lattice that are zero at its
/// sides, but for those of the matrix. Sums are in fp64 and do not depend on threads.
struct RedBlackKernels {
  /// out = B v at the points of `colour`; v are planes of the other one.
  void (*gather)(const RedBlackMatrix& matrix, int k, PointColour colour, const RedBlackPlanes& v,
                 float* out);

  /// x = b + B v at the even points.
  void (*relax)(const RedBlackMatrix& matrix, int k, const RedBlackPlanes& v, const float* b, float* x);

  /// The same; returns the plane's part of the scalar product of b and x.
  double (*relax_and_dot)(const RedBlackMatrix& matrix, int k, const RedBlackPlanes& v, const float* b,
                          float* x);

  /// out = p - B v; returns the plane's part of the scalar product of p and out.
  double (*apply_and_dot)(const RedBlackMatrix& matrix, int k, const RedBlackPlanes& v, const float* p,
                          float* out);

  /// values /= root at the points of `colour`.
  void (*divide_by_roots)(const RedBlackMatrix& matrix, int k, PointColour colour, float* values);

  /// out = z + beta p.
  void (*turn_direction)(const RedBlackLattice& lattice, int k, const float* z, float beta, const float* p,
                         float* out);

  /// e += alpha p, r -= alpha s; returns the plane's part of the square of r, each times its root.
  double (*step)(const RedBlackMatrix& matrix, int k, float alpha, const float* p, const float* s, float* e,
                 float* r);

  /// b - x + B v at the even points, each times its root, collected by the coarse points along x and y: `out`
  /// has y.coarse rows of x.coarse values, `workspace` room for 2 nx.
  void (*collect_residual)(const RedBlackMatrix& matrix, int k, const RedBlackPlanes& v, const float* b,
                           const float* x, const AxisCoarsening& along_x, const AxisCoarsening& along_y,
                           float* out, float* workspace);

  /// x += interpolated coarse values, each times its root, as in PbTransferKernels.
  void (*add_interpolated)(const RedBlackMatrix& matrix, int k, const AxisCoarsening& along_x,
                           const AxisCoarsening& along_y, const float* low, const float* high,
                           float low_weight, float high_weight, float* x, float* workspace);

  /// out = 1 / root of the diagonal, for all inner points of a plane of the lattice, in its order.
  void (*inverse_roots)(const PbLevel& level, int k, float* out);

  /// even and odd = face[i] * factor * u[i] * next[i], for even and odd i < nx. `workspace`: room for nx.
  void (*scale_row)(const float* face, float factor, const float* u, const float* next, int nx, float* even,
                    float* odd, float* workspace);
};

/// Throws UsageError when this processor lacks instructions that the level may use.
const RedBlackKernels& red_black_kernels(SimdLevel level);

}  // namespace ionwell
