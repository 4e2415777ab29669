// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cooperative_groups.h>

#include "gpu/placement/best_cube.cuh"
#include "gpu/placement/exact.cuh"
#include "gpu/placement/refresh.cuh"

/// What the threads of a search share, and how thread blocks learn of each other's bounds.
namespace ionwell::gpu {

/// Shared memory of a thread block.
struct SearchWorkspace {
  union {  // expanding blocks comes before the exact sums
    SumWorkspace sum;
    ExactWorkspace exact;
  };
  Best best_of_warp[search_warps];
  Best best;  // cube of this thread block
  double upper_of_warp[search_warps];
  float lowest_of_warp[search_warps];
  int ahead_of_warp[search_warps];
  double upper_kT;         // of all thread blocks, in this round
  double own_upper_kT;     // of this one
  float lowest_kT;         // bound of the best cube of all thread blocks
  int ahead;               // thread blocks with a better cube than this one's
  std::uint32_t expanded;  // cubes expanded by this thread block
  RangeWithError values;   // of the block that was brought up to date last
  double start_s;          // of the search; the first thread block's
  PendingIon pending[most_pending];
};

/// The cubes of this thread block: [first, first + count).
struct OwnCubes {
  std::int64_t first;
  int count;

  __device__ explicit OwnCubes(const SearchArrays& arrays)
      : first(arrays.cubes_per_part * blockIdx.x), count(arrays.cubes_in_part(int(blockIdx.x))) {}
};

/// Sets workspace.best to the best of all threads' cubes.
__device__ inline void find_best(Best of_thread, SearchWorkspace& workspace) {
  of_thread = best_of_warp(of_thread);
  if (threadIdx.x % warp_size == 0) workspace.best_of_warp[threadIdx.x / warp_size] = of_thread;
  __syncthreads();
  if (threadIdx.x == 0) {
    Best best = workspace.best_of_warp[0];
    for (int w = 1; w < search_warps; ++w) best = better(best, workspace.best_of_warp[w]);
    workspace.best = best;
  }
  __syncthreads();
}

/// The bounds that thread blocks post in a round; those of the round before may still be read.
__device__ inline PartBounds* part_bounds_of(const SearchArrays& arrays, std::uint32_t round) {
  return arrays.part_bounds + (round % 2) * gridDim.x;
}

/// Tells the other thread blocks what this one knows; they may read it after the next meeting.
__device__ inline void post_bounds(const SearchArrays& arrays, std::uint32_t round,
                                   const SearchWorkspace& workspace) {
  if (threadIdx.x == 0)
    part_bounds_of(arrays, round)[blockIdx.x] = {workspace.own_upper_kT, workspace.best.bound_kT, 0};
}

/// Reads what all thread blocks posted: the least upper bound, the lowest energy left, and how many have a
/// better cube than this one.
__device__ inline void read_bounds(const SearchArrays& arrays, std::uint32_t round,
                                   SearchWorkspace& workspace) {
  const PartBounds* posted = part_bounds_of(arrays, round);
  double upper = double_infinity;
  float lowest = float_infinity;
  int ahead = 0;
  const float own = workspace.best.bound_kT;
  for (int p = int(threadIdx.x); p < int(gridDim.x); p += search_threads) {
    const double other_upper = __ldcg(&posted[p].upper_kT);
    const float other = __ldcg(&posted[p].bound_kT);
    upper = fmin(upper, other_upper);
    lowest = fminf(lowest, other);
    ahead += other < own || (other == own && p < int(blockIdx.x));
  }
  upper = reduce_warp(upper, [](double a, double b) { return fmin(a, b); });
  lowest = warp_min(lowest);
  ahead = warp_sum(ahead);
  if (threadIdx.x % warp_size == 0) {
    const int warp = int(threadIdx.x) / warp_size;
    workspace.upper_of_warp[warp] = upper;
    workspace.lowest_of_warp[warp] = lowest;
    workspace.ahead_of_warp[warp] = ahead;
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < search_warps; ++w) {
      upper = fmin(upper, workspace.upper_of_warp[w]);
      lowest = fminf(lowest, workspace.lowest_of_warp[w]);
      ahead += workspace.ahead_of_warp[w];
    }
    workspace.upper_kT = upper;
    workspace.lowest_kT = lowest;
    workspace.ahead = ahead;
  }
  __syncthreads();
}

}  // namespace ionwell::gpu
