// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "electrostatics/poisson_boltzmann/solver/pb_level.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_stencil.hpp"
#include "gpu/electrostatics/poisson_boltzmann/plane_borders.hpp"
#include "gpu/runtime/check.hpp"
#include "gpu/runtime/team.hpp"

/// How kernels go over the points of a level: a thread block has a column of the lattice, some points along x
/// and y, and goes through it plane by plane, so that what neighbours share stays in its cache.
namespace ionwell::gpu {

constexpr int march_x = 32, march_y = 8;  // threads of a block
constexpr int march_threads = march_x * march_y;
constexpr int march_planes = 16;  // of a column, where there are enough of them
constexpr int enough_columns = 1024;

/// Thread blocks that a device works at together, and planes of a column that are done twice.
struct BlockRounds {
  int blocks_at_once = 792;  // of an H100: six on each of its multiprocessors
  int done_twice = 2;
};

/// Of how many planes columns should be where there are fewer, or no sums: blocks come in full rounds, and
/// little is done twice. A multiple of `step`.
inline int best_planes(std::int64_t blocks_across, int planes, const BlockRounds& rounds = {}, int step = 1) {
  const int most = 64 * rounds.done_twice;  // of a column: longer ones save next to nothing
  int best = step;
  std::int64_t least_steps = std::numeric_limits<std::int64_t>::max();
  for (int of_column = step; of_column < std::min(planes, most) + step; of_column += step) {
    const std::int64_t blocks = blocks_across * ((planes + of_column - 1) / of_column);
    const std::int64_t steps = (blocks + rounds.blocks_at_once - 1) / rounds.blocks_at_once *
                               (std::min(of_column, planes) + rounds.done_twice);
    if (steps >= least_steps) continue;
    least_steps = steps;
    best = of_column;
  }
  return best;
}

/// The columns of a level's inner points, `points_a_thread` of them along x for each thread.
struct March {
  unsigned columns_x, columns_y, columns_z;
  int planes;  // of a column; the last one can have fewer. 0: each device's are its own

  explicit March(const PbLevel& level, int points_a_thread = 1)
      : columns_x(columns(level.nx, march_x * points_a_thread)), columns_y(columns(level.ny, march_y)) {
    constexpr int most_points_a_thread = 2;  // the same planes for all kernels of a level
    const std::int64_t across = std::int64_t(columns(level.nx, march_x * most_points_a_thread)) * columns_y;
    planes = (level.nz - 2) * across >= march_planes * enough_columns ? march_planes
                                                                      : best_planes(across, level.nz - 2);
    columns_z = columns(level.nz, planes);
  }

  /// For kernels whose blocks make no sums: has no blocks() that hold for all devices.
  March without_sums() const {
    March march = *this;
    march.planes = 0;
    return march;
  }

  /// With the same planes, for kernels whose blocks have tiles of so many points.
  March of_tiles(const PbLevel& level, int along_x, int along_y) const {
    March march = *this;
    march.columns_x = columns(level.nx, along_x);
    march.columns_y = columns(level.ny, along_y);
    return march;
  }

  std::int64_t across() const { return std::int64_t(columns_x) * columns_y; }
  static dim3 block() { return {march_x, march_y, 1}; }
  std::int64_t blocks() const { return across() * columns_z; }

 private:
  static unsigned columns(int points, int of_each) {
    return unsigned(points - 2 + of_each - 1) / unsigned(of_each);
  }
};

/// The borders of the finest level: between columns, so that the sums of thread blocks are those that one
/// device makes.
inline PlaneBorders finest_borders(const PbLevel& level, int devices) {
  const March march(level);
  PlaneBorders borders{{0}, level.nz};
  for (int device = 1; device < devices; ++device) {
    const std::int64_t column = Share{device, devices}.first_of(march.columns_z);
    borders.first.push_back(column == 0 ? 0 : int(1 + march.planes * column));
  }
  borders.first.push_back(level.nz);
  return borders;
}

/// The columns along z that one device goes through, those on its borders first: what comes from the other
/// side takes longer.
struct MarchPart {
  int first_plane, last_plane;  // inner ones: from the first up to the last, which is not in it
  int planes, count;
  bool from_both_ends, is_reversed;

  MarchPart(const March& march, const PlaneBorders& borders, const Share& share)
      : first_plane(std::max(borders.begin(share), 1)),
        last_plane(std::min(borders.end(share), borders.planes - 1)),
        planes(march.planes > 0 ? march.planes : best_planes(march.across(), last_plane - first_plane)),
        count(std::max(last_plane - first_plane + planes - 1, 0) / planes),
        from_both_ends(share.part > 0 && share.part + 1 < share.parts),
        is_reversed(share.part == 0 && share.parts > 1) {}

  __device__ int column(int n) const {
    if (is_reversed) return count - 1 - n;
    return !from_both_ends ? n : (n % 2 == 0 ? n / 2 : count - 1 - n / 2);
  }
};

/// The elements of an array of the level that are a device's.
struct ElementRange {
  std::int64_t first, last;

  ElementRange(const PbLevel& level, const PlaneBorders& borders, const Share& share)
      : first(level.plane_stride() * borders.begin(share)), last(level.plane_stride() * borders.end(share)) {}
};

/// Launches a kernel over the columns of a level, on all devices that share it: its arguments are `arguments`
/// and the MarchPart. `items`: floats of the array that decides who shares.
template <typename Kernel, typename... Arguments>
void march_over(const Team& team, const March& march, const PlaneBorders& borders, std::int64_t items,
                const char* what, const Kernel& kernel, const Arguments&... arguments) {
  team.share(items, [&](const Share& share, cudaStream_t stream) {
    const MarchPart part(march, borders, share);
    if (part.count == 0) return;
    kernel<<<dim3{march.columns_x, march.columns_y, unsigned(part.count)}, March::block(), 0, stream>>>(
        arguments..., part);
    check_launch(what);
  });
}

/// Of a thread: its point along x and y, and its planes.
struct MarchPlace {
  int i, j, first, last;
};

__device__ inline MarchPlace march_place(const MarchPart& part, int points_a_thread = 1) {
  const int first = part.first_plane + part.column(int(blockIdx.z)) * part.planes;
  return {1 + points_a_thread * int(blockIdx.x * march_x + threadIdx.x),
          1 + int(blockIdx.y * march_y + threadIdx.y), first, min(first + part.planes, part.last_plane)};
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
template <int Threads = march_threads>
__device__ double sum_of_block(double value) {
  __shared__ double of_warp[Threads / 32];
  const int thread = int(threadIdx.y * march_x + threadIdx.x);
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffffu, value, offset);
  if (thread % 32 == 0) of_warp[thread / 32] = value;
  __syncthreads();
  if (thread == 0)
    for (int w = 1; w < Threads / 32; ++w) value += of_warp[w];
  return value;
}

/// On the finest level: the sum of each block has a place that does not depend on who shares the level.
template <int Threads = march_threads>
__device__ void store_block_sum(double value, double* sums, const MarchPart& part) {
  const double sum = sum_of_block<Threads>(value);
  const std::int64_t column = (part.first_plane - 1) / part.planes + part.column(int(blockIdx.z));
  if (threadIdx.x == 0 && threadIdx.y == 0)
    sums[blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * column)] = sum;
}

}  // namespace ionwell::gpu
