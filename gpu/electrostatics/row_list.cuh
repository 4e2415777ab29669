// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

/// Ranges of sorted charges that a thread block goes through together.
namespace ionwell::gpu {

/// Ranges of sorted charges, one of each thread's, as one list of candidates.
template <int threads>
struct RowList {
  std::uint32_t base[threads];  // first charge of a range, less the candidates before it
  std::uint32_t end[threads];   // candidates up to the end of a range
  std::uint32_t of_warp[threads / 32];
};

/// Called by all threads of the block, each with its range [first, last); returns the number of candidates.
template <int threads>
__device__ inline std::uint32_t list_rows(RowList<threads>& list, std::uint32_t first, std::uint32_t last) {
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  std::uint32_t sum = last - first;
  for (int distance = 1; distance < 32; distance *= 2) {
    const std::uint32_t below = __shfl_up_sync(0xffffffffu, sum, distance);
    if (lane >= distance) sum += below;
  }
  if (lane == 31) list.of_warp[warp] = sum;
  __syncthreads();
#pragma unroll
  for (int w = 0; w < threads / 32; ++w)
    if (w < warp) sum += list.of_warp[w];
  list.end[threadIdx.x] = sum;
  list.base[threadIdx.x] = first - (sum - (last - first));
  __syncthreads();
  return list.end[threads - 1];
}

/// Number of a candidate in `charges`.
template <int threads>
__device__ inline std::uint32_t charge_of(const RowList<threads>& list, std::uint32_t candidate) {
  int row = 0;
#pragma unroll
  for (int step = threads / 2; step > 0; step /= 2)
    if (list.end[row + step - 1] <= candidate) row += step;
  return list.base[row] + candidate;
}

}  // namespace ionwell::gpu
