// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>

#include "gpu/placement/search_workspace.cuh"

/// The points of expanded blocks that the lattice's error leaves in the running.
namespace ionwell::gpu {

/// An expanded block, in the search for candidates; a warp has it, and a lane its points lane + 32 n.
struct CandidateBlock {
  const float* values;
  BlockFrameD frame;
  double error_kT;      // of an energy here
  unsigned in_running;  // bit n: number n

  __device__ CandidateBlock(const SearchArrays& arrays, const SearchTask& task, std::int64_t slot,
                            double upper_kT)
      : values(arrays.blocks.values + block_points * slot), in_running(0) {
    const std::int64_t number = arrays.blocks.numbers[slot];
    const std::uint32_t available = load_mask(arrays.mask + mask_words * number, lane());
    error_kT = arrays.refine ? fabs(task.charge_e) * double(arrays.error_kT_e[slot]) : 0.0;
    frame = frame_of_block(arrays.blocks.lattice, number);
#pragma unroll
    for (int n = 0; n < 2 * mask_words; ++n)
      if (available >> n & 1 && Candidate{energy_kT(task, n), error_kT, 0}.may_reach(upper_kT))
        in_running |= 1u << n;
  }

  __device__ static int lane() {
    return int(threadIdx.x) % warp_size;
  }
  __device__ double energy_kT(const SearchTask& task, int n) const {
    return task.charge_e * double(values[warp_size * n + lane()]);
  }
  __device__ Candidate candidate(const SearchArrays& arrays, const SearchTask& task, int n) const {
    return {energy_kT(task, n), error_kT,
            arrays.blocks.lattice.index(frame.first_point.x + lane() % block_edge,
                                        frame.first_point.y + lane() / block_edge + 4 * (n % 2),
                                        frame.first_point.z + n / 2)};
  }
};

/// Puts the candidates of those lanes that have one on the list; by a warp.
__device__ inline void append(const SearchArrays& arrays, bool wanted, const Candidate& candidate) {
  const int lane = int(threadIdx.x) % warp_size;
  const unsigned lanes = __ballot_sync(full_warp, wanted);
  if (lanes == 0) return;
  std::uint32_t at = 0;
  if (lane == 0) at = atomicAdd(&arrays.control->candidates, std::uint32_t(__popc(lanes)));
  at = __shfl_sync(full_warp, at, 0) + std::uint32_t(__popc(lanes & ((1u << lane) - 1)));
  if (wanted && at < arrays.candidate_room) arrays.candidates[at] = candidate;
}

constexpr std::int64_t no_index = std::numeric_limits<std::int64_t>::max();

/// The first of a block's candidates, where the values decide and no other matters.
__device__ inline Candidate first_candidate(const SearchArrays& arrays, const SearchTask& task,
                                            const CandidateBlock& block) {
  Candidate first{double_infinity, 0.0, no_index};
#pragma unroll
  for (int n = 0; n < 2 * mask_words; ++n)
    if (block.in_running >> n & 1) {
      const Candidate here = block.candidate(arrays, task, n);
      if (precedes(here, first)) first = {here.energy_kT, 0.0, here.index};
    }
  for (int d = 16; d > 0; d /= 2) {
    const Candidate other{__shfl_xor_sync(full_warp, first.energy_kT, d), 0.0,
                          __shfl_xor_sync(full_warp, static_cast<long long>(first.index), d)};
    if (precedes(other, first)) first = other;
  }
  return first;
}

/// Puts the points of an expanded block that may have an energy of `upper_kT` on the list of candidates, or a
/// block with many of them on that of near-degenerate ones; by a warp.
__device__ inline void collect(const SearchArrays& arrays, const SearchTask& task, std::int64_t slot,
                               double upper_kT) {
  const CandidateBlock block(arrays, task, slot, upper_kT);
  const bool first_lane = CandidateBlock::lane() == 0;
  if (block.error_kT == 0.0) {
    const Candidate first = first_candidate(arrays, task, block);
    append(arrays, first_lane && first.energy_kT < double_infinity, first);
    return;
  }
  if (arrays.multilevel && arrays.direct[slot] == 0 &&
      warp_sum(__popc(block.in_running)) > near_degenerate_points) {
    if (first_lane)
      arrays.near_degenerate_slots[atomicAdd(&arrays.control->near_degenerate, 1u)] = std::int32_t(slot);
    return;
  }
#pragma unroll 1
  for (int n = 0; n < 2 * mask_words; ++n)
    append(arrays, block.in_running >> n & 1, block.candidate(arrays, task, n));
}

}  // namespace ionwell::gpu
