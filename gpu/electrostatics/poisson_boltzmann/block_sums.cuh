// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "gpu/electrostatics/poisson_boltzmann/march.cuh"

namespace ionwell::gpu {

constexpr int summing_y = 32;  // threads of the one block that sums, by march_x

inline dim3 summing_block() {
  return {march_x, summing_y, 1};
}

/// For one summing_block: the sum of `count` numbers, always in the same order; thread 0 has it.
__device__ inline double sum_of_array(const double* values, std::int64_t count) {
  constexpr int threads = march_x * summing_y;
  double sum = 0.0;
  for (std::int64_t n = threadIdx.y * march_x + threadIdx.x; n < count; n += threads) sum += values[n];
  return sum_of_block<threads>(sum);
}

}  // namespace ionwell::gpu
