#pragma once

#include <cuda_runtime.h>

#include <vector>

#include "electrostatics/poisson_boltzmann/solver/pb_sweeps.hpp"
#include "gpu/electrostatics/poisson_boltzmann/pb_levels.hpp"
#include "gpu/runtime/team.hpp"

namespace ionwell::gpu {

/// VCycle (lib's) on a device: the same sweeps and transfers. 5.7 bytes a point.
class VCycle {
 public:
  /// The levels and the team must stay.
  VCycle(const PbLevels& levels, const Team& team);

  /// Puts the cycle into the stream: z = M r on the finest level, and in sums() the parts of the scalar
  /// product of r and z. Of z only the outermost points, which are zero, are read.
  void apply(const float* r, float* z);

  const DeviceBuffer<double>& sums() const { return sums_; }

 private:
  /// Of a level. The finest one's x and b are the caller's.
  struct Vectors {
    DeviceBuffer<float> x, b;
    DeviceBuffer<float> other;  // a sweep goes from x to it or back
  };

  /// A sweep that begins with the points of colour `first`; from zero where `from` is null.
  void sweep(std::size_t n, PointColour first, const float* b, const float* from, float* to, double* sums);

  void go_down(std::size_t n, const float* b, float* x);
  void go_up(std::size_t n, const float* b, float* x);

  const PbLevels& levels_;
  const Team& team_;
  std::vector<Vectors> vectors_;
  DeviceBuffer<double> sums_;  // by thread block of the finest level
};

}  // namespace ionwell::gpu
