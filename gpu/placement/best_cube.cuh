// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "gpu/placement/bounds.cuh"

/// Which cube of a thread block may hold the lowest energy.
namespace ionwell::gpu {

constexpr std::uint32_t no_cube = 0xffffffffu;

/// A cube, and the lowest energy that an ion may have in it.
struct Best {
  float bound_kT;
  std::uint32_t cube;
};

__device__ inline Best better(Best a, Best b) {
  if (a.bound_kT != b.bound_kT) return a.bound_kT < b.bound_kT ? a : b;
  return a.cube < b.cube ? a : b;
}

__device__ inline Best best_of_warp(Best best) {
  for (int d = 16; d > 0; d /= 2)
    best = better(best,
                  {__shfl_xor_sync(full_warp, best.bound_kT, d), __shfl_xor_sync(full_warp, best.cube, d)});
  return best;
}

/// The best among the cubes of thread `of` that are left; by a warp.
__device__ inline Best best_of_thread(const SearchArrays& arrays, std::int64_t first, int count, int of) {
  const int lane = int(threadIdx.x) % warp_size;
  Best best{float_infinity, no_cube};
  for (int c = of + search_threads * lane; c < count; c += search_threads * warp_size)
    best = better(best, {__ldcg(arrays.bound_kT + first + c), std::uint32_t(first + c)});
  return best_of_warp(best);
}

/// Lets the bounds of a thread block's cubes feel all ions; returns the best of this thread's. Bounds are
/// inflated for good in turn, a row of cubes in task.phases, because that reads and writes all of a
/// cube; the others are only shifted.
__device__ inline Best bound_cubes(const SearchArrays& arrays, const SearchTask& task,
                                   const PendingIon* pending, unsigned phase, std::int64_t first, int count) {
  Best best{float_infinity, no_cube};
  const auto note = [&](int c, float bound) {
    arrays.bound_kT[first + c] = bound;
    best = better(best, {bound, std::uint32_t(first + c)});
  };
  const int rows = (count + search_threads - 1) / search_threads;
  for (auto row = int(phase); row < rows; row += int(task.phases)) {
    const int c = row * search_threads + int(threadIdx.x);
    if (c < count) note(c, inflate_cube(arrays, task, first + c));
  }
  if (task.phases == 1) return best;
  constexpr int at_once = 8;  // so that enough is read at a time
  for (int row = 0; row < rows; row += at_once) {
    CubeRecord cube[at_once];
    const auto number = [&](int n) { return (row + n) * search_threads + int(threadIdx.x); };
    const auto wanted = [&](int n) { return ((row + n) & (task.phases - 1)) != phase && number(n) < count; };
#pragma unroll
    for (int n = 0; n < at_once; ++n)
      if (wanted(n)) cube[n] = read_cube(arrays, task, first + number(n));
#pragma unroll
    for (int n = 0; n < at_once; ++n)
      if (wanted(n)) note(number(n), shifted_bound(arrays, task, pending, cube[n]));
  }
  return best;
}

}  // namespace ionwell::gpu
