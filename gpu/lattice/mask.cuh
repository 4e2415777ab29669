// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "gpu/electrostatics/device_blocks.hpp"
#include "gpu/electrostatics/direct_sum.cuh"

namespace ionwell::gpu {

/// The part of a block's mask that a lane keeps: bit n is point lane + 32 n.
__device__ inline std::uint32_t load_mask(const std::uint64_t* words, int lane) {
  std::uint32_t mine = 0;
#pragma unroll
  for (int n = 0; n < 2 * mask_words; ++n)
    mine |= std::uint32_t(words[n / 2] >> (32 * (n % 2) + lane) & 1) << n;
  return mine;
}

__device__ inline void store_mask(std::uint64_t* words, int lane, std::uint32_t mine) {
#pragma unroll
  for (int w = 0; w < mask_words; ++w) {
    const std::uint64_t low = __ballot_sync(full_warp, mine >> (2 * w) & 1);
    const std::uint64_t high = __ballot_sync(full_warp, mine >> (2 * w + 1) & 1);
    if (lane == w) words[w] = low | high << 32;
  }
}

/// Clears the lane's bits of points with d^2 <= limit_A2 from `centre`, in fp64.
__device__ inline std::uint32_t exclude_sphere(std::uint32_t mine, const Vec3<double>& first_A,
                                               const Vec3<double>& spacing_A, const Vec3<double>& centre,
                                               double limit_A2, int lane) {
  const double dx = first_A.x + spacing_A.x * (lane % block_edge) - centre.x;
  const double dy[2] = {first_A.y + spacing_A.y * (lane / block_edge) - centre.y,
                        first_A.y + spacing_A.y * (lane / block_edge + 4) - centre.y};
  const double across[2] = {dx * dx + dy[0] * dy[0], dx * dx + dy[1] * dy[1]};
#pragma unroll
  for (int k = 0; k < block_edge; ++k) {
    const double dz = first_A.z + spacing_A.z * k - centre.z, dz2 = dz * dz;
    if (across[0] + dz2 <= limit_A2) mine &= ~(1u << (2 * k));
    if (across[1] + dz2 <= limit_A2) mine &= ~(1u << (2 * k + 1));
  }
  return mine;
}

__device__ inline Box box_of_block(const BlockFrameD& frame, const Vec3<double>& spacing_A) {
  return {frame.first_A, frame.first_A + double(block_edge - 1) * spacing_A};
}

}  // namespace ionwell::gpu
