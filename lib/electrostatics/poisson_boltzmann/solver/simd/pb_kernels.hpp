// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "electrostatics/poisson_boltzmann/solver/pb_level.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_sweeps.hpp"
#include "electrostatics/simd/simd_level.hpp"

namespace ionwell {

/// The inner loops of the solver, each for the inner points of plane `k`, 0 < k < nz - 1; plain arrays, see
/// simd_level.hpp. Vectors have a value for each point of the lattice, and zero at the outermost ones.
/// Sums are in fp64 and do not depend on threads.
struct PbKernels {
  /// x = b / diagonal at the points of `colour`.
  void (*relax_from_zero)(const PbLevel& level, int k, PointColour colour, const float* b, float* x);

  /// One step of Gauss and Seidel for A x = b at the points of `colour`.
  void (*relax)(const PbLevel& level, int k, PointColour colour, const float* b, float* x);

  /// The same; returns the plane's part of the scalar product of b and x.
  double (*relax_and_dot)(const PbLevel& level, int k, PointColour colour, const float* b, float* x);

  /// out[i] = factor charge_e[i] - A phi at point row + i, 0 < i < nx - 1, in fp64; `phi` and `charge_e`
  /// begin with point `row`, the first of a row. Returns the sum of their squares.
  double (*residual_row)(const PbLevel& level, std::int64_t row, const double* phi, const float* charge_e,
                         double factor, double* out);

  /// The same over A's diagonal: what fulfils the point's equation when its neighbours stay.
  void (*step_row)(const PbLevel& level, std::int64_t row, const double* phi, const float* charge_e,
                   double factor, double* out);
};

/// Throws UsageError when this processor lacks instructions that the level may use.
const PbKernels& pb_kernels(SimdLevel level);

}  // namespace ionwell
