#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <span>

#include "gpu/electrostatics/device_blocks.hpp"

namespace ionwell::gpu {

/// Copies the values to host memory in the order of the lattice, through some 50 MB of device memory; 0 where
/// no block has any. `slot_of` is the slot of every block, -1 for none.
void copy_linear(const DeviceBlocks& blocks, const std::int32_t* slot_of, std::span<float> host,
                 cudaStream_t stream);

}  // namespace ionwell::gpu
