#pragma once

#include <cuda_runtime.h>

#include "device_blocks.hpp"
#include "potential/pair_potential.hpp"

namespace ionwell::gpu {

/// values += the direct sum of `count` charges (device memory) in fp32 terms; the error relative to the sum
/// of the terms' magnitudes is at most rounding_of_direct_sum (block_kernels.hpp). O(points * charges).
/// `slots`, device memory, may name the slots to do; null: all of them.
void add_direct(const DeviceBlocks& blocks, const std::int32_t* slots, std::int64_t slot_count,
                const PointCharge* charges, std::int64_t count, const PairPotential& pair,
                cudaStream_t stream);

}  // namespace ionwell::gpu
