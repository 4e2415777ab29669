// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "electrostatics/poisson_boltzmann/solver/pb_sweeps.hpp"
#include "gpu/electrostatics/poisson_boltzmann/interpolation.hpp"
#include "gpu/electrostatics/poisson_boltzmann/march.cuh"
#include "gpu/electrostatics/poisson_boltzmann/pb_levels.hpp"

/// The coarsest levels of a V-cycle in one kernel: each is done in microseconds, which are fewer than kernels
/// of their own take to begin.
namespace ionwell::gpu {

constexpr int most_small_levels = 8;
constexpr int small_level_threads = 1024;
/// Points of all of them together: of the finest more are done sooner by several thread blocks.
constexpr int most_small_points = 6000;
/// Right side, solution, and the residual at even points.
constexpr int small_level_arrays = 3;

/// A level, whose arrays begin at number `first` of the block's shared memory for each.
struct SmallLevel {
  PbLevel matrix;
  LevelAxes axes;  // to the next
  int first;
};

/// The levels, the first one's right side, and where its solution goes.
struct SmallLevels {
  int count = 0, points = 0;  // points: of all
  SmallLevel levels[most_small_levels];
  const float* b = nullptr;
  float* x = nullptr;
};

inline int small_levels_bytes(int points) {
  return small_level_arrays * points * int(sizeof(float));
}

/// Calls work(i, j, k, p) for the inner points of a colour, and lets all threads of the block wait for each
/// other.
template <typename Work>
__device__ void over_colour(const PbLevel& level, PointColour colour, const Work& work) {
  const int across = (level.nx - 1) / 2, rows = level.ny - 2, points = across * rows * (level.nz - 2);
  for (int n = int(threadIdx.x); n < points; n += small_level_threads) {
    const int j = 1 + n / across % rows, k = 1 + n / (across * rows);
    const int i = 1 + 2 * (n % across) + (1 + j + k + int(colour == PointColour::odd)) % 2;
    if (i < level.nx - 1) work(i, j, k, i + level.nx * (j + level.ny * k));
  }
  __syncthreads();
}

/// A step of Gauss and Seidel.
__device__ inline void relax(const PbLevel& level, PointColour colour, const float* b, float* x) {
  over_colour(level, colour, [&](int, int, int, int p) {
    const PbRow<float> row = row_at(level, p);
    x[p] = __fdividef(b[p] + inflow(row, neighbours_at<float>(level, p, x)), diagonal(row));
  });
}

/// What a coarse point collects of the residual of the finer level: restriction by full weighting, the
/// transpose of interpolation.
__device__ inline float collected(const PbLevel& level, const LevelAxes& axes, const float* residual, int i,
                                  int j, int k) {
  const CollectedPoints x = collected_by(axes.x, i), y = collected_by(axes.y, j), z = collected_by(axes.z, k);
  float sum = 0.0f;
#pragma unroll
  for (int c = -1; c <= 1; ++c)
#pragma unroll
    for (int d = -1; d <= 1; ++d)
#pragma unroll
      for (int a = -1; a <= 1; ++a) {
        const float weight = z.weight[c + 1] * y.weight[d + 1] * x.weight[a + 1];
        const int fi = x.middle + a, fj = y.middle + d, fk = z.middle + c;
        // At other points than even inner ones it is zero.
        if (weight != 0.0f) sum += weight * residual[fi + level.nx * (fj + level.ny * fk)];
      }
  return sum;
}

/// The solution of a coarser level at a point, between its points trilinear.
__device__ inline float interpolated(const PbLevel& coarse, const LevelAxes& axes, const float* values, int i,
                                     int j, int k) {
  const Between x = between(axes.x, i), y = between(axes.y, j), z = between(axes.z, k);
  float sum = 0.0f;
#pragma unroll
  for (int corner = 0; corner < 8; ++corner) {
    const int on_x = corner & 1, on_y = corner / 2 & 1, on_z = corner / 4;
    const float weight = (on_x ? x.high_weight : x.low_weight) * (on_y ? y.high_weight : y.low_weight) *
                         (on_z ? z.high_weight : z.low_weight);
    if (weight != 0.0f)
      sum += weight * values[x.low + on_x + coarse.nx * (y.low + on_y + coarse.ny * (z.low + on_z))];
  }
  return sum;
}

/// One thread block: from the right side of the first level to its solution.
__global__ void __launch_bounds__(small_level_threads)
    small_levels_kernel(const __grid_constant__ SmallLevels small) {
  static_assert(sweeps == 2);
  extern __shared__ float small_memory[];
  constexpr PointColour even = PointColour::even, odd = PointColour::odd;
  float *const all_b = small_memory, *const all_x = all_b + small.points,
               *const all_residual = all_x + small.points;
  const int first_points = int(small.levels[0].matrix.size());
  for (int p = int(threadIdx.x); p < small.points; p += small_level_threads) {
    all_b[p] = p < first_points ? small.b[p] : 0.0f;
    all_x[p] = all_residual[p] = 0.0f;
  }
  __syncthreads();
  for (int n = 0; n < small.count; ++n) {
    const auto& [level, axes, first] = small.levels[n];
    const float* const b = all_b + first;
    float *const x = all_x + first, *const residual = all_residual + first;
    over_colour(level, even,
                [&](int, int, int, int p) { x[p] = __fdividef(b[p], diagonal(row_at(level, p))); });
    relax(level, odd, b, x);
    relax(level, even, b, x);
    relax(level, odd, b, x);
    if (n + 1 == small.count) break;
    over_colour(level, even, [&](int, int, int, int p) {
      residual[p] = b[p] - applied(row_at(level, p), neighbours_at<float>(level, p, x), x[p]);
    });
    const SmallLevel& coarse = small.levels[n + 1];
    for (const PointColour colour : {even, odd})
      over_colour(coarse.matrix, colour, [&](int i, int j, int k, int p) {
        all_b[coarse.first + p] = collected(level, axes, residual, i, j, k);
      });
  }
  for (int n = small.count; n-- > 0;) {
    const auto& [level, axes, first] = small.levels[n];
    const float* const b = all_b + first;
    float* const x = all_x + first;
    if (n + 1 < small.count) {
      const SmallLevel& coarse = small.levels[n + 1];
      over_colour(level, even, [&](int i, int j, int k, int p) {
        x[p] += interpolated(coarse.matrix, axes, all_x + coarse.first, i, j, k);
      });
    }
    relax(level, odd, b, x);
    relax(level, even, b, x);
    relax(level, odd, b, x);
    relax(level, even, b, x);
  }
  for (int p = int(threadIdx.x); p < first_points; p += small_level_threads) small.x[p] = all_x[p];
}

}  // namespace ionwell::gpu
