// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime.h>

#include <array>
#include <cstdint>

#include "gpu/electrostatics/device_blocks.hpp"
#include "lattice/frame_maps.hpp"

/// Sums over maps, point by point. Arrays are in blocks as DeviceBlocks::values, of all blocks of a lattice.
/// All but difference_of_means return before the device is done.
namespace ionwell::gpu {

/// By FrameSum; null for what is not kept.
using FrameSumArrays = std::array<double*, frame_sums>;

/// Adds a map to the sum of frames, that of their squares, and that of the block.
void add_map_to_sums(const float* values, std::int64_t count, const FrameSumArrays& sums,
                     cudaStream_t stream);

/// The `frames` of the block that is ended have a mean, which goes to the sums of means.
void end_block_of_sums(std::int64_t count, std::int64_t frames, const FrameSumArrays& sums,
                       cudaStream_t stream);

/// See FrameMaps::note_mean; `watched` has one value for each lattice point, i fastest, or is null.
FrameMaps::SquaredDifference difference_of_means(const LatticeGeometry& lattice, std::int64_t frames,
                                                 const std::uint8_t* watched, const FrameSumArrays& sums,
                                                 cudaStream_t stream);

}  // namespace ionwell::gpu
