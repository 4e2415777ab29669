// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime.h>

#include "electrostatics/pair_potential.hpp"
#include "gpu/electrostatics/device_blocks.hpp"

namespace ionwell::gpu {

/// values += the direct sum of `count` charges (device memory) in fp32 terms; the error relative to the sum
/// of the terms' magnitudes is at most rounding_of_direct_sum (electrostatics/simd/direct_kernels.hpp).
/// O(points * charges). `slots`, device memory, may name the slots to do; null: all of them. `parts`: of the
/// charges, that are summed side by side, which changes the last digits.
void add_direct(const DeviceBlocks& blocks, const std::int32_t* slots, std::int64_t slot_count,
                const PointCharge* charges, std::int64_t count, const PairPotential& pair, int parts,
                cudaStream_t stream);

/// Few blocks and many charges: as many parts as keep any device busy; otherwise 1.
int direct_parts(std::int64_t blocks, std::int64_t charges);

}  // namespace ionwell::gpu
