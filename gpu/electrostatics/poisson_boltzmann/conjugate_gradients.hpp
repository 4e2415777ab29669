// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime.h>

#include <array>

#include "gpu/electrostatics/poisson_boltzmann/v_cycle.hpp"
#include "gpu/runtime/event.hpp"
#include "gpu/runtime/pinned_number.hpp"
#include "gpu/runtime/team.hpp"

namespace ionwell::gpu {

/// The scalars of conjugate gradients, in device memory: no iteration waits for the host.
struct GradientScalars {
  double product;  // of r and M r; 0 before the first iteration
  unsigned iterations;
  float alpha, beta;  // alpha: of the step that the correction lacks
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

  /// phi += what was found since the start, or since it was added before.
  void add_correction(double* phi_kT_e);

  /// The same as an array that begins where plane 0 would be, until the next iteration.
  const float* whole_correction();

  /// Memory of that array, between solutions.
  DeviceBuffer<float>& room() {
    is_clear_ = false;
    return e_;
  }

  /// Forgets directions and correction.
  void start();
  void forget_correction();

  /// Records what an iteration launches, which the first one does otherwise; where planes are shared nothing.
  void prepare();

  /// One iteration; returns the norm of the residual as it follows from the last one. `is_followed`: the next
  /// one is begun before this one's norm is there, unless planes are shared.
  double iterate(bool is_followed);

  /// To be called when the arrays of the levels have changed.
  void forget_graph();

 private:
  void forget_step();
  void begin_iteration();
  void launch_iteration();
  float* from_plane_0(DeviceBuffer<float>& vector) const {
    return levels_.planes().from_plane_0(0, vector.data());
  }

  const PbLevels& levels_;
  const Team& team_;
  VCycle preconditioner_;
  DeviceBuffer<float> r_, e_, p_, z_;  // e_ lacks the last step, alpha p; z_: also A p
  DeviceBuffer<double> sums_;          // by thread block
  DeviceBuffer<GradientScalars> scalars_;
  std::array<PinnedNumber, 2> norms2_;  // of r, of every second iteration
  std::array<Event, 2> ended_;
  unsigned begun_ = 0, done_ = 0;  // iterations since the start
  bool is_clear_ = true;           // e_ is zero
  cudaGraphExec_t graph_ = nullptr;
};

}  // namespace ionwell::gpu
