// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime.h>

#include <vector>

#include "electrostatics/poisson_boltzmann/solver/pb_sweeps.hpp"
#include "gpu/electrostatics/poisson_boltzmann/pb_levels.hpp"
#include "gpu/runtime/team.hpp"

namespace ionwell::gpu {

/// VCycle (lib's) on a device: the same sweeps and transfers. 5.7 bytes a point. Where planes are shared each
/// level has two exchanges: the sweeps near others' planes are done here, too.
class VCycle {
 public:
  /// The levels and the team must stay.
  VCycle(const PbLevels& levels, const Team& team);

  /// Puts the cycle into the stream: z = M r on the finest level, and in sums() the parts of the scalar
  /// product of r and z. Of z only the outermost points, which are zero, are read; of r ghosts are filled.
  void apply(float* r, float* z);

  const DeviceBuffer<double>& sums() const { return sums_; }

 private:
  /// Of a level. The finest one's x and b are the caller's.
  struct Vectors {
    DeviceBuffer<float> x, b;
    DeviceBuffer<float> other;  // a sweep goes from x to it or back
  };

  /// What a sweep goes from and to: from zero where `from` is null.
  struct Sweep {
    PointColour first;
    const float* from;
    float* to;
    int ghosts;  // of other processes' planes, that it goes over, too
    double* sums = nullptr;
  };
  void run(std::size_t n, const float* b, const Sweep& sweep);

  /// For kernels of a thread to two points.
  March march_of_pairs(std::size_t n) const;

  void go_down(std::size_t n, float* b, float* x);
  void go_up(std::size_t n, const float* b, float* x);
  float* other(std::size_t n) { return levels_.planes().from_plane_0(n, vectors_[n].other.data()); }
  float* right_side(std::size_t n, float* r) {
    return n == 0 ? r : levels_.planes().from_plane_0(n, vectors_[n].b.data());
  }
  float* solution(std::size_t n, float* z) {
    return n == 0 ? z : levels_.planes().from_plane_0(n, vectors_[n].x.data());
  }

  const PbLevels& levels_;
  const Team& team_;
  std::vector<Vectors> vectors_;
  DeviceBuffer<double> sums_;  // by thread block of the finest level
};

}  // namespace ionwell::gpu
