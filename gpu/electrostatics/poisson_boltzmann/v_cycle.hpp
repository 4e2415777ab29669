// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime.h>

#include <vector>

#include "electrostatics/poisson_boltzmann/solver/pb_sweeps.hpp"
#include "gpu/electrostatics/poisson_boltzmann/pb_levels.hpp"
#include "gpu/runtime/team.hpp"

namespace ionwell::gpu {

/// VCycle (lib's) on a device: the same sweeps and transfers, with packed coefficients. 5.7 bytes a point.
/// Where planes are shared each level has two exchanges: the sweeps near others' planes are done here, too.
class VCycle {
 public:
  /// The levels and the team must stay.
  VCycle(const PbLevels& levels, const Team& team);

  /// Puts the cycle into the stream: z = M r on the finest level, and in sums() the parts of the scalar
  /// product of r and z. Of z only the outermost points, which are zero, are read; of r ghosts are filled.
  void apply(float* r, float* z);

  const DeviceBuffer<double>& sums() const { return sums_; }

 private:
  void go_down(std::size_t n, float* b);
  void go_up(std::size_t n, const float* b, float* x);
  void do_small_levels();

  /// Two sweeps over a level with so many ghosts, by a kernel of the usual rows or one of few, whose first
  /// arguments these are.
  template <typename Kernel, typename... Arguments>
  void sweep(std::size_t n, int ghosts, int planes_of_sum, Kernel* usual, Kernel* small,
             const Arguments&... arguments);

  float* swept(std::size_t n) { return vector(n, 0); }
  float* right_side(std::size_t n, float* r) { return n == 0 ? r : vector(n, 1); }
  float* solution(std::size_t n, float* z) { return n == 0 ? z : vector(n, 2); }
  float* vector(std::size_t n, std::size_t which) {
    return levels_.planes().from_plane_0(n, vectors_[vectors_of_level * n + which]);
  }

  const PbLevels& levels_;
  const Team& team_;
  int rows_;                 // of a block
  std::size_t first_small_;  // level, from which on all are done by one kernel
  /// By level: what the way down leaves, right side and solution; the finest one's last two are the caller's.
  static constexpr std::size_t vectors_of_level = 3;
  DeviceArrays vectors_;
  DeviceBuffer<double> sums_;  // of the finest level
};

}  // namespace ionwell::gpu
