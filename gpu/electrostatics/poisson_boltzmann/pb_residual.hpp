// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime.h>

#include "electrostatics/poisson_boltzmann/solver/ionic_solution.hpp"
#include "gpu/electrostatics/poisson_boltzmann/pb_levels.hpp"
#include "gpu/runtime/team.hpp"

namespace ionwell::gpu {

/// PbResidual (lib's) on a device: the equation in fp64 on the finest lattice. Arrays are device memory,
/// which begin where plane 0 would be (SharedPlanes).
class PbResidual {
 public:
  /// `ions`: those of the nonlinear equation, or null.
  PbResidual(const PbSystem& system, const PbLevels& levels, const IonicSolution* ions, const Team& team);

  /// See lib's; `slope` is null for the linear equation. Where planes are shared a ghost of phi is filled on
  /// each side.
  double at(double* phi_kT_e, const float* charge_e, float* residual, float* slope);

  /// The same, and the 2-norm of the right side: what charges and given potentials put into the inner points.
  struct Norms {
    double residual, right_side;
  };
  Norms of_start(double* phi_kT_e, const float* charge_e, float* residual, float* slope);

  /// phi += IonicSolution::bounded_step of each point's step.
  void add_newton_step(const float* step_kT_e, double* phi_kT_e);

  /// Points where ions can be and the potential is beyond IonicSolution::cap.
  std::int64_t points_beyond_cap(const double* phi_kT_e);

 private:
  void launch(double* phi_kT_e, const float* charge_e, float* residual, float* slope, double* right_sides);
  double total(DeviceBuffer<double>& sums);

  const Team& team_;
  const SharedPlanes& planes_;
  PbLevel level_;  // without reactions where the ions come by themselves
  const PlaneBorders& borders_;
  const float* accessibility_;
  IonicSolution ions_;
  bool is_nonlinear_;
  double volume_A3_, charge_factor_;
  DeviceBuffer<double> sums_, right_sides_;  // by thread block, and the total
};

}  // namespace ionwell::gpu
