// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "electrostatics/poisson_boltzmann/solver/axis_coarsening.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_level.hpp"
#include "electrostatics/simd/simd_level.hpp"

namespace ionwell {

constexpr int coarsening_rows = 5;  // of a fine lattice, that making a coarse row needs room for

/// The inner loops between a lattice, `level`, and the next coarser one; plain arrays, see simd_level.hpp.
struct PbTransferKernels {
  /// b - A x at the points of even sum, collected by the coarse points along x and y: `out` has
  /// y.coarse rows of x.coarse values, `workspace` room for 2 nx.
  void (*collect_residual)(const PbLevel& level, int k, const float* b, const float* x,
                           const AxisCoarsening& along_x, const AxisCoarsening& along_y, float* out,
                           float* workspace);

  /// x += interpolated coarse values at the points of even sum. Plane k lies at `low_weight` of coarse plane
  /// `low` and high_weight of `high`, which are whole planes. `workspace`: room for 2 nx.
  void (*add_interpolated)(const PbLevel& level, int k, const AxisCoarsening& along_x,
                           const AxisCoarsening& along_y, const float* low, const float* high,
                           float low_weight, float high_weight, float* x, float* workspace);

  /// The coarse conductances along x, y and z, and reactions, of the points first <= i < last of row (j, k)
  /// of the coarser lattice, `out` being the row's arrays. Those of y need an inner k and any j but the last,
  /// those of z any k but the last and an inner j, the others both inner ones; the points are inner ones, and
  /// the face before the first comes with them along x. `axes`: x, y, z. `workspace`: room for
  /// coarsening_rows nx.
  using CoarsenRow = void (*)(const PbLevel& level, const AxisCoarsening* axes, int j, int k, int first,
                              int last, float* out, float* workspace);
  CoarsenRow coarsen_faces_x, coarsen_faces_y, coarsen_faces_z, coarsen_reaction;
};

/// Throws UsageError when this processor lacks instructions that the level may use.
const PbTransferKernels& pb_transfer_kernels(SimdLevel level);

}  // namespace ionwell
