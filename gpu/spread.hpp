#pragma once

#include <cuda_runtime.h>

#include <span>

#include "device_blocks.hpp"
#include "potential/field.hpp"
#include "potential/pair_potential.hpp"

namespace ionwell::gpu {

/// The direct sum by several devices: blocks and charges are on the first of `devices`, the current one; the
/// others take ranges of blocks whenever they have nothing to do, and bring back their values. The values do
/// not depend on who computed them.
void spread_direct(const DeviceBlocks& blocks, std::span<const int> devices, const PointCharge* charges,
                   std::int64_t count, const PairPotential& pair, cudaStream_t stream,
                   const Progress& progress);

}  // namespace ionwell::gpu
