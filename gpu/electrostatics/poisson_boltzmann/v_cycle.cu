// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/electrostatics/poisson_boltzmann/v_cycle.hpp"

#include "electrostatics/poisson_boltzmann/solver/pb_sweeps.hpp"
#include "gpu/electrostatics/poisson_boltzmann/march.cuh"
#include "gpu/runtime/launch.hpp"

namespace ionwell::gpu {
namespace {

/// Two points along x for each thread: one of either colour.
constexpr int points_of_pair = 2;

/// Of a pair that begins at `i`, the one of the colour.
__device__ int coloured_point(int i, int j, int k, PointColour colour) {
  return i + ((i + j + k + (colour == PointColour::odd)) & 1);
}

/// The first colour of a tile and of the points around it, in four planes: the one that is being computed and
/// three that the second colour needs.
constexpr int tile_x = points_of_pair * march_x, tile_y = march_y;
using TilePlane = float[tile_y + 2][tile_x + 2];

/// Pairs of a tile's plane with those around it; and warps of which a thread has one pair at most: with a
/// second pair for some, all would wait for these in every plane.
constexpr int pairs_x = tile_x / points_of_pair + 1, tile_pairs = pairs_x * (tile_y + 2);
constexpr int sweep_y = (tile_pairs + march_x - 1) / march_x, sweep_threads = march_x * sweep_y;

/// A step of Gauss and Seidel at the points of `first`, and after it at the others, from `x` (from zero where
/// that is null) to `out`: the tile's columns are gone through once, the second colour a plane behind the
/// first, which is computed for the points around the tile too. `sums`: of b out, by block; null for none.
__global__ void __launch_bounds__(sweep_threads)
    sweep_kernel(PbLevel level, PointColour first, const float* __restrict__ b, const float* __restrict__ x,
                 float* __restrict__ out, double* sums, MarchPart part) {
  __shared__ TilePlane ring[4];
  const MarchPlace at = march_place(part, points_of_pair);
  const int left = 1 + int(blockIdx.x) * tile_x, front = 1 + int(blockIdx.y) * tile_y;
  const int thread = int(threadIdx.y * march_x + threadIdx.x);
  const PointColour second = first == PointColour::even ? PointColour::odd : PointColour::even;
  double sum = 0.0;
  for (int k = at.first - 1; k <= at.last; ++k) {
    TilePlane& here = ring[k & 3];
    if (thread < tile_pairs) {
      const int j = front - 1 + thread / pairs_x;
      const int i = coloured_point(left - 1 + points_of_pair * (thread % pairs_x), j, k, first);
      float value = 0.0f;  // of outermost points
      if (i > 0 && j > 0 && k > 0 && i < level.nx - 1 && j < level.ny - 1 && k < level.nz - 1) {
        const std::int64_t p = i + j * level.row_stride() + k * level.plane_stride();
        const PbRow<float> row = row_at(level, p);
        value = x == nullptr ? b[p] / diagonal(row) : relaxed(row, neighbours_at(level, p, x), b[p]);
      }
      here[j - front + 1][i - left + 1] = value;
    }
    __syncthreads();  // four planes: nobody still reads the one that is written next
    const int m = k - 1;
    if (m < at.first || int(threadIdx.y) >= tile_y || at.j >= level.ny - 1) continue;
    const int i = coloured_point(at.i, at.j, m, second), other = 2 * at.i + 1 - i;
    const int on_x = i - left + 1, on_y = at.j - front + 1;
    const TilePlane& middle = ring[m & 3];
    const std::int64_t row = at.j * level.row_stride() + m * level.plane_stride();
    if (i < level.nx - 1) {
      const PbNeighbours<float> around{middle[on_y][on_x - 1],        middle[on_y][on_x + 1],
                                       middle[on_y - 1][on_x],        middle[on_y + 1][on_x],
                                       ring[(m - 1) & 3][on_y][on_x], here[on_y][on_x]};
      const float value = relaxed(row_at(level, row + i), around, b[row + i]);
      out[row + i] = value;
      if (sums != nullptr) sum += double(b[row + i]) * double(value);
    }
    if (other < level.nx - 1) {
      const float value = middle[on_y][other - left + 1];
      out[row + other] = value;
      if (sums != nullptr) sum += double(b[row + other]) * double(value);
    }
  }
  if (sums != nullptr) store_block_sum<sweep_threads>(sum, sums, part);
}

/// out = what inner coarse points collect of b - A x, which is zero at odd points and at outermost ones.
__global__ void __launch_bounds__(march_threads)
    collect_residual_kernel(PbLevel level, const float* __restrict__ b, const float* __restrict__ x,
                            LevelAxes axes, PbLevel coarse, float* out, MarchPart part) {
  const MarchPlace at = march_place(part);
  if (at.i >= coarse.nx - 1 || at.j >= coarse.ny - 1) return;
  const CollectedPoints along_x = collected_by(axes.x, at.i), along_y = collected_by(axes.y, at.j);
  for (int k = at.first; k < at.last; ++k) {
    const CollectedPoints along_z = collected_by(axes.z, k);
    float sum = 0.0f;
#pragma unroll
    for (int c = -1; c <= 1; ++c)
#pragma unroll
      for (int d = -1; d <= 1; ++d)
#pragma unroll
        for (int a = -1; a <= 1; ++a) {
          const float weight = along_z.weight[c + 1] * along_y.weight[d + 1] * along_x.weight[a + 1];
          const int fi = along_x.middle + a, fj = along_y.middle + d, fk = along_z.middle + c;
          if (weight == 0.0f || (fi + fj + fk) % 2 == 1 || fi == 0 || fj == 0 || fk == 0 ||
              fi == level.nx - 1 || fj == level.ny - 1 || fk == level.nz - 1)
            continue;
          const std::int64_t p = fi + fj * level.row_stride() + fk * level.plane_stride();
          sum += weight * (b[p] - applied(row_at(level, p), neighbours_at(level, p, x), x[p]));
        }
    out[at.i + at.j * coarse.row_stride() + k * coarse.plane_stride()] = sum;
  }
}

/// Where a fine point lies between coarse ones.
struct Between {
  int low;
  float low_weight, high_weight;
};

__device__ Between between(const AxisCoarsening& axis, int i) {
  const int low = axis.coarse_below(i);
  if (!axis.between(i)) return {low, 1.0f, 0.0f};
  return {low, axis.high_weight(low), axis.low_weight()};
}

/// x += interpolated coarse values at the even points.
__global__ void __launch_bounds__(march_threads)
    add_interpolated_kernel(PbLevel level, LevelAxes axes, PbLevel coarse, const float* __restrict__ values,
                            float* x, MarchPart part) {
  const MarchPlace at = march_place(part, points_of_pair);
  if (at.j >= level.ny - 1) return;
  const Between y = between(axes.y, at.j);
  for (int k = at.first; k < at.last; ++k) {
    const int i = coloured_point(at.i, at.j, k, PointColour::even);
    if (i >= level.nx - 1) continue;
    const Between on_x = between(axes.x, i), z = between(axes.z, k);
    const auto of_row = [&](int row, int plane) {
      const float* const from = values + on_x.low + row * coarse.row_stride() + plane * coarse.plane_stride();
      return on_x.low_weight * from[0] + on_x.high_weight * from[1];
    };
    const auto of_plane = [&](int plane) {
      return y.low_weight * of_row(y.low, plane) +
             (y.high_weight != 0.0f ? y.high_weight * of_row(y.low + 1, plane) : 0.0f);
    };
    const float sum =
        z.low_weight * of_plane(z.low) + (z.high_weight != 0.0f ? z.high_weight * of_plane(z.low + 1) : 0.0f);
    x[i + at.j * level.row_stride() + k * level.plane_stride()] += sum;
  }
}

/// Planes that a sweep reads on each side of those that it writes: the second colour's points need the first
/// one's beside them, and these theirs.
constexpr int planes_of_sweep = 2;

/// Ghosts of the solution where the way up of a level begins, and with which the residual, two planes of it,
/// is at hand on the way down; and of the right side, of which the first sweep's first colour reads a plane
/// more than it writes.
constexpr int ghosts_of_correction = 2 * planes_of_sweep;
constexpr int ghosts_of_right_side = ghosts_of_correction + planes_of_sweep + 1;

static_assert(ghosts_of_right_side + 1 <= plane_ghosts);  // and a face's plane behind them

}  // namespace

VCycle::VCycle(const PbLevels& levels, const Team& team)
    : levels_(levels), team_(team), sums_(std::size_t(March(levels.level(0), points_of_pair).blocks())) {
  for (std::size_t n = 0; n < levels.count(); ++n) {
    const SpreadScope spread(spreading_of(levels.borders(n), team.ordinals()));
    const auto vector = [&](std::size_t size) {
      DeviceBuffer<float> made(size, "the levels of a V-cycle");
      made.zero(team.stream());
      return made;
    };
    const std::size_t size = levels.planes().size(n), own = n == 0 ? 0 : size;
    vectors_.push_back({vector(own), vector(own), vector(size)});
  }
}

void VCycle::apply(float* r, float* z) {
  for (std::size_t n = 0; n < levels_.count(); ++n) go_down(n, right_side(n, r), solution(n, z));
  for (std::size_t n = levels_.count(); n-- > 0;) go_up(n, right_side(n, r), solution(n, z));
  levels_.planes().gather_sums(March(levels_.level(0), points_of_pair), sums_.data());
}

March VCycle::march_of_pairs(std::size_t n) const {
  const March march(levels_.level(n), points_of_pair);
  return n == 0 ? march : march.without_sums();
}

void VCycle::run(std::size_t n, const float* b, const Sweep& sweep) {
  const PbLevel& level = levels_.level(n);
  march_over_by({march_x, sweep_y, 1}, team_, march_of_pairs(n), levels_.borders(n).with(sweep.ghosts),
                level.size(), "a Gauss-Seidel sweep", sweep_kernel, level, sweep.first, b, sweep.from,
                sweep.to, sweep.sums);
}

void VCycle::go_down(std::size_t n, float* b, float* x) {
  static_assert(sweeps == 2);  // one to the other array, one back
  levels_.planes().fill_ghosts(n, b, ghosts_of_right_side);
  run(n, b, {PointColour::even, nullptr, other(n), ghosts_of_correction + planes_of_sweep});
  run(n, b, {PointColour::even, other(n), x, ghosts_of_correction});
  if (n + 1 == levels_.count()) return;
  const PbLevel &level = levels_.level(n), &coarse = levels_.level(n + 1);
  float* const collected = right_side(n + 1, nullptr);
  march_over(team_, March(coarse).without_sums(), levels_.made(n + 1), level.size(),
             "a residual for a coarser lattice", collect_residual_kernel, level, b, x,
             level_axes(levels_.coarsening(n)), coarse, collected);
  levels_.planes().gather_made(n + 1, collected);
}

void VCycle::go_up(std::size_t n, const float* b, float* x) {
  const PbLevel& level = levels_.level(n);
  if (n + 1 < levels_.count()) {
    float* const coarse = solution(n + 1, nullptr);
    levels_.planes().fill_ghosts(n + 1, coarse,
                                 interpolated_ghosts(ghosts_of_correction, levels_.coarsening(n)[2]));
    march_over(team_, march_of_pairs(n), levels_.borders(n).with(ghosts_of_correction), level.size(),
               "interpolation from a coarser lattice", add_interpolated_kernel, level,
               level_axes(levels_.coarsening(n)), levels_.level(n + 1), coarse, x);
  }
  run(n, b, {PointColour::odd, x, other(n), planes_of_sweep});
  run(n, b, {PointColour::odd, other(n), x, 0, n == 0 ? sums_.data() : nullptr});
}

}  // namespace ionwell::gpu
