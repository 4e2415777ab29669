// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <span>

#include "core/block.hpp"
#include "gpu/runtime/device_buffer.hpp"

namespace ionwell::gpu {

/// Where an ion can still go: one bit for each lattice point, kept by blocks in device memory.
class DeviceMask {
 public:
  /// Every point of the lattice is available at first.
  DeviceMask(const BlockGrid& grid, cudaStream_t stream);

  /// Takes away the points with d^2 <= limit_A2 from any of `centres`.
  void exclude(std::span<const Vec3<double>> centres, double limit_A2, cudaStream_t stream);

  std::uint64_t* words() { return words_.data(); }

  /// Numbers of the blocks with an available point, or of all, in rising order. `slot_of` gets the place of
  /// each block in that list, -1 where it is not in it.
  DeviceBuffer<std::int32_t> list_blocks(bool all, DeviceBuffer<std::int32_t>& slot_of,
                                         cudaStream_t stream) const;

  std::int64_t available_points(cudaStream_t stream) const;

 private:
  LatticeGeometry lattice_;
  std::int64_t blocks_;
  DeviceBuffer<std::uint64_t> words_;
};

}  // namespace ionwell::gpu
