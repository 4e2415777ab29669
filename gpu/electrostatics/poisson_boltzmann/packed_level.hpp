// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "electrostatics/poisson_boltzmann/solver/pb_level.hpp"
#include "electrostatics/poisson_boltzmann/solver/point_box.hpp"

namespace ionwell::gpu {

/// A level's conductances and reactions in bf16, which has fp32's range: half of what a sweep reads, and
/// exact enough for a preconditioner, which they leave symmetric and positive definite.
struct PackedLevel {
  int nx = 0, ny = 0, nz = 0;
  /// Of pair q of a row, points 2 q - 1 and 2 q: conductances of the faces behind them along x, y and z, and
  /// reactions. Begins where plane 0 would.
  const uint4* pairs = nullptr;

  __host__ __device__ static std::int64_t pairs_of_plane(int nx, int ny) {
    return (std::int64_t(nx) / 2 + 1) * ny;
  }
  __device__ int pairs_of_row() const { return nx / 2 + 1; }
  __device__ std::int64_t pair_at(int q, int j, int k) const {
    return q + pairs_of_row() * (j + std::int64_t(ny) * k);
  }
  __device__ std::int64_t row_stride() const { return nx; }
  __device__ std::int64_t plane_stride() const { return std::int64_t(nx) * ny; }
};

/// What a word has of a pair's two points.
__device__ inline float first_of(unsigned pair) {
  return __uint_as_float(pair << 16);
}
__device__ inline float second_of(unsigned pair) {
  return __uint_as_float(pair);
}

/// Packs the points of a box.
void pack_level(const PbLevel& level, const PointBox& box, uint4* pairs, cudaStream_t stream);

}  // namespace ionwell::gpu
