// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime.h>

#include "gpu/electrostatics/poisson_boltzmann/v_cycle.hpp"
#include "gpu/runtime/pinned_number.hpp"
#include "gpu/runtime/team.hpp"

namespace ionwell::gpu {

/// The scalars of conjugate gradients, in device memory: no iteration waits for the host.
struct GradientScalars {
  double product;  // of r and M r
  double norm2;    // of r
  float alpha, beta;
  bool has_directions;  // false before the first iteration
};

/// ConjugateGradients (lib's) on a device. An iteration is a graph of launches, made once, or where planes
/// are shared launches and what is exchanged between them. 16 bytes a point, and what the V-cycle has.
class ConjugateGradients {
 public:
  /// The levels and the team must stay.
  ConjugateGradients(const PbLevels& levels, const Team& team);
  ~ConjugateGradients();
  ConjugateGradients(const ConjugateGradients&) = delete;
  ConjugateGradients& operator=(const ConjugateGradients&) = delete;

  /// The residual, which the caller sets; zero at the outermost points.
  DeviceBuffer<float>& residual() { return r_; }

  /// What was found since the start, or since it was set to zero.
  DeviceBuffer<float>& correction() { return e_; }

  /// Forgets directions and correction.
  void start();
  void forget_correction() { clear(e_); }

  /// Records what an iteration launches, which the first one does otherwise; where planes are shared nothing.
  void prepare();

  /// One iteration; returns the norm of the residual as it follows from the last one.
  double iterate();

  /// To be called when the arrays of the levels have changed.
  void forget_graph();

 private:
  void clear(DeviceBuffer<float>& vector);  // each device its planes
  void launch_iteration();
  float* from_plane_0(DeviceBuffer<float>& vector) const {
    return levels_.planes().from_plane_0(0, vector.data());
  }

  const PbLevels& levels_;
  const Team& team_;
  VCycle preconditioner_;
  DeviceBuffer<float> r_, e_, p_, z_;  // z_: also A p
  DeviceBuffer<double> sums_;          // by thread block
  DeviceBuffer<GradientScalars> scalars_;
  PinnedNumber norm2_;
  cudaGraphExec_t graph_ = nullptr;
};

}  // namespace ionwell::gpu
