#pragma once

#include <cstdint>

#include "electrostatics/poisson_boltzmann/solver/pb_level.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_stencil.hpp"
#include "gpu/runtime/check.hpp"

/// How kernels go over the points of a level: a thread block has a column of the lattice, some points along x
/// and y, and goes through it plane by plane, so that what neighbours share stays in its cache.
namespace ionwell::gpu {

constexpr int march_x = 32, march_y = 8;  // threads of a block
constexpr int march_threads = march_x * march_y;
constexpr int march_planes = 16;  // of a column

/// The columns of a level's inner points, `points_a_thread` of them along x for each thread.
struct March {
  unsigned columns_x, columns_y, columns_z;

  explicit March(const PbLevel& level, int points_a_thread = 1)
      : columns_x(unsigned(level.nx - 2 + march_x * points_a_thread - 1) /
                  unsigned(march_x * points_a_thread)),
        columns_y(unsigned(level.ny - 2 + march_y - 1) / march_y),
        columns_z(unsigned(level.nz - 2 + march_planes - 1) / march_planes) {}

  dim3 grid() const { return {columns_x, columns_y, columns_z}; }
  static dim3 block() { return {march_x, march_y, 1}; }
  std::int64_t blocks() const { return std::int64_t(columns_x) * columns_y * columns_z; }
};

/// Of a thread: its point along x and y, and its planes.
struct MarchPlace {
  int i, j, first, last;
};

__device__ inline MarchPlace march_place(const PbLevel& level, int points_a_thread = 1) {
  const int first = 1 + int(blockIdx.z) * march_planes;
  return {1 + points_a_thread * int(blockIdx.x * march_x + threadIdx.x),
          1 + int(blockIdx.y * march_y + threadIdx.y), first, min(first + march_planes, level.nz - 1)};
}

__device__ inline PbRow<float> row_at(const PbLevel& level, std::int64_t p) {
  const std::int64_t row = level.row_stride(), plane = level.plane_stride();
  return {level.factor_x * __ldg(level.face_x + p - 1),     level.factor_x * __ldg(level.face_x + p),
          level.factor_y * __ldg(level.face_y + p - row),   level.factor_y * __ldg(level.face_y + p),
          level.factor_z * __ldg(level.face_z + p - plane), level.factor_z * __ldg(level.face_z + p),
          level.reaction_factor * __ldg(level.reaction + p)};
}

template <typename Real>
__device__ PbNeighbours<Real> neighbours_at(const PbLevel& level, std::int64_t p, const Real* x) {
  const std::int64_t row = level.row_stride(), plane = level.plane_stride();
  return {x[p - 1], x[p + 1], x[p - row], x[p + row], x[p - plane], x[p + plane]};
}

/// Sums a number of each thread of a block, always in the same order; thread 0 has the result.
__device__ inline double sum_of_block(double value) {
  __shared__ double of_warp[march_threads / 32];
  const int thread = int(threadIdx.y * march_x + threadIdx.x);
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffffu, value, offset);
  if (thread % 32 == 0) of_warp[thread / 32] = value;
  __syncthreads();
  if (thread == 0)
    for (int w = 1; w < march_threads / 32; ++w) value += of_warp[w];
  return value;
}

__device__ inline void store_block_sum(double value, double* sums) {
  const double sum = sum_of_block(value);
  if (threadIdx.x == 0 && threadIdx.y == 0)
    sums[blockIdx.x + gridDim.x * (blockIdx.y + std::int64_t(gridDim.y) * blockIdx.z)] = sum;
}

}  // namespace ionwell::gpu
