#pragma once

#include <cuda_runtime.h>

#include <vector>

#include "gpu/electrostatics/poisson_boltzmann/pb_levels.hpp"

namespace ionwell::gpu {

/// VCycle (lib's) on a device: the same sweeps and transfers. 1.1 bytes a point.
class VCycle {
 public:
  /// The levels must stay.
  VCycle(const PbLevels& levels, cudaStream_t stream);

  /// Puts the cycle into the stream: z = M r on the finest level, and in sums() the parts of the scalar
  /// product of r and z. Of z only the outermost points, which are zero, are read.
  void apply(const float* r, float* z, cudaStream_t stream);

  const DeviceBuffer<double>& sums() const { return sums_; }

 private:
  struct Vectors {
    DeviceBuffer<float> x, b;
  };

  void go_down(std::size_t n, const float* b, float* x, cudaStream_t stream);
  void go_up(std::size_t n, const float* b, float* x, cudaStream_t stream);

  const PbLevels& levels_;
  std::vector<Vectors> vectors_;  // of level n + 1
  DeviceBuffer<double> sums_;     // by thread block of the finest level
};

}  // namespace ionwell::gpu
