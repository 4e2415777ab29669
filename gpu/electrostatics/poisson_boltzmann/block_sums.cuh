#pragma once

#include <cstdint>

#include "gpu/electrostatics/poisson_boltzmann/march.cuh"

namespace ionwell::gpu {

/// For one block of march_threads: the sum of `count` numbers, always in the same order; thread 0 has it.
__device__ inline double sum_of_array(const double* values, std::int64_t count) {
  double sum = 0.0;
  for (std::int64_t n = threadIdx.y * march_x + threadIdx.x; n < count; n += march_threads) sum += values[n];
  return sum_of_block(sum);
}

}  // namespace ionwell::gpu
