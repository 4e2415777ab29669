// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "gpu/electrostatics/poisson_boltzmann/interpolation.hpp"
#include "gpu/electrostatics/poisson_boltzmann/paired_sweeps.cuh"
#include "gpu/electrostatics/poisson_boltzmann/small_levels.cuh"

/// Kernels of a V-cycle: down, to a coarser level, and up.
namespace ionwell::gpu {

/// Two points along x for each thread: one of either colour.
constexpr int points_of_pair = 2;

/// The way of a row whose `parity` is that of its number and the first plane's together.
template <int parity, int rows>
__device__ void go_down(PairSweeper<rows>& sweeper, const MarchPlace& at, float* out) {
  const bool is_in_tile = sweeper.is_in_tile();
  const int first = at.first - tile_halo;

  over_planes(first, at.last - 1 + tile_halo, [&](auto place, int k) {
    constexpr int slot = place.value;
    constexpr PointColour even = PointColour::even, odd = PointColour::odd;
    sweeper.template take<slot>(k);
    sweeper.fetch(k + 1);
    sweeper.template begin<slot, point_of(even, parity, slot)>();
    sweeper.template relax<plane_before(slot, 1), point_of(odd, parity, slot + 1)>();
    sweeper.template relax<plane_before(slot, 2), point_of(even, parity, slot)>();
    sweeper.template relax<plane_before(slot, 3), point_of(odd, parity, slot + 1)>();
    constexpr int done = plane_before(slot, 4), n = point_of(even, parity, slot);
    const float left = sweeper.template residual<done, n>();
    if (k - 4 >= at.first && is_in_tile && sweeper.is_inner(n)) {
      float* const to = out + sweeper.point_before(6);
      to[n] = sweeper.template plane<done>().x[n];
      to[1 - n] = left;
    }
  });
}

/// Two sweeps from zero. Of each pair of points `out` gets the solution at the even one, and what is left of
/// its equation at the odd one, whose own solution the way up does not need.
template <int rows>
__global__ void __launch_bounds__(march_x* rows)
    go_down_kernel(PackedLevel level, const float* __restrict__ b, float* __restrict__ out,
                   PlaneSpan equations, MarchPart part) {
  extern __shared__ float swept_memory[];
  auto* const shared = reinterpret_cast<SharedPlane<rows>*>(swept_memory);
  const MarchPlace at = march_place(part);
  PairSweeper<rows> sweeper(level, b, equations, at.first - tile_halo, shared);
  if ((sweeper.j() + at.first) % 2 == 0)
    go_down<0>(sweeper, at, out);
  else
    go_down<1>(sweeper, at, out);
}

/// The even points of a row that a coarse point collects, where the odd ones have no residual: the middle
/// one, or its two neighbours where the middle is odd. Where `swept` has their residuals, and their weights.
struct CollectedRow {
  int middle, before, behind;
  float middle_weight, before_weight, behind_weight;

  /// `last`: the row's last point, which has no equation, as the first.
  __device__ CollectedRow(const CollectedPoints& points, int last)
      : middle(odd_of_pair(points.middle)),
        before(odd_of_pair(points.middle - 1)),
        behind(odd_of_pair(points.middle + 1)),
        middle_weight(points.weight[1]),
        before_weight(points.middle > 1 ? points.weight[0] : 0.0f),
        behind_weight(points.middle + 1 < last ? points.weight[2] : 0.0f) {}

  __device__ float sum(const float* row, bool has_even_middle) const {
    if (has_even_middle) return middle_weight * row[middle];
    return (before_weight != 0.0f ? before_weight * row[before] : 0.0f) +
           (behind_weight != 0.0f ? behind_weight * row[behind] : 0.0f);
  }

  __device__ static int odd_of_pair(int even) { return even % 2 == 1 ? even + 1 : even - 1; }
};

/// out = what inner coarse points collect of the residual at the even points: `swept` has it at the odd point
/// of a pair.
__global__ void __launch_bounds__(march_threads)
    collect_kernel(PbLevel level, const float* __restrict__ swept, LevelAxes axes, PbLevel coarse, float* out,
                   MarchPart part) {
  const MarchPlace at = march_place(part);
  if (at.i >= coarse.nx - 1 || at.j >= coarse.ny - 1) return;
  const CollectedPoints along_x = collected_by(axes.x, at.i), along_y = collected_by(axes.y, at.j);
  const CollectedRow of_row(along_x, level.nx - 1);
  for (int k = at.first; k < at.last; ++k) {
    const CollectedPoints along_z = collected_by(axes.z, k);
    float sum = 0.0f;
#pragma unroll
    for (int c = -1; c <= 1; ++c) {
      const int plane = along_z.middle + c;
      if (along_z.weight[c + 1] == 0.0f || plane == 0 || plane == level.nz - 1) continue;
      float of_plane = 0.0f;
#pragma unroll
      for (int d = -1; d <= 1; ++d) {
        const int row = along_y.middle + d;
        if (along_y.weight[d + 1] == 0.0f || row == 0 || row == level.ny - 1) continue;
        of_plane += along_y.weight[d + 1] *
                    of_row.sum(swept + row * level.row_stride() + plane * level.plane_stride(),
                               (along_x.middle + row + plane) % 2 == 0);
      }
      sum += along_z.weight[c + 1] * of_plane;
    }
    out[at.i + at.j * coarse.row_stride() + k * coarse.plane_stride()] = sum;
  }
}

/// x += factor * interpolated coarse values at the even points.
__global__ void __launch_bounds__(march_threads)
    add_interpolated_kernel(PbLevel level, LevelAxes axes, PbLevel coarse, const float* __restrict__ values,
                            float factor, float* __restrict__ x, MarchPart part) {
  const MarchPlace at = march_place(part, points_of_pair);
  if (at.i >= level.nx - 1 || at.j >= level.ny - 1 || at.first >= at.last) return;
  InterpolatedPair pair(axes, coarse, values, at.i, at.j, at.first);
  float* to = x + at.i + at.j * level.row_stride() + at.first * level.plane_stride();
  for (int k = at.first; k < at.last; ++k, to += level.plane_stride()) {
    const int n = (at.i + at.j + k) & 1;  // of the even point
    const float value = pair.at(n, k);
    if (at.i + n < level.nx - 1) to[n] += factor * value;
  }
}

/// Where the way up goes, and the sums of b out that it leaves: by tile along x, row, and so many planes.
struct UpTarget {
  float* out;
  double* sums;  // null: none
  int planes_of_sum;
};

template <int parity, int rows>
__device__ void go_up(PairSweeper<rows>& sweeper, const MarchPlace& at, const float* swept,
                      const UpTarget& to, const PackedLevel& level, const PlaneSpan& equations) {
  const bool is_in_tile = sweeper.is_in_tile();
  const int first = at.first - tile_halo;

  // `n`: the even point's place in its pair.
  const auto start_at = [&](int k, int n) {
    const bool has_start = k >= equations.begin && k < equations.end && sweeper.is_inner(n);
    return has_start ? swept[sweeper.point_before(1) + n] : 0.0f;
  };
  float start = start_at(first, point_of(PointColour::even, parity, 0));
  double sum = 0.0;
  over_planes(first, at.last - 1 + tile_halo, [&](auto place, int k) {
    constexpr int slot = place.value;
    constexpr PointColour even = PointColour::even, odd = PointColour::odd;
    sweeper.template take<slot>(k);
    sweeper.template set<slot, point_of(even, parity, slot)>(start);
    sweeper.fetch(k + 1);
    start = start_at(k + 1, point_of(even, parity, slot + 1));
    sweeper.template relax<plane_before(slot, 1), point_of(odd, parity, slot + 1)>();
    sweeper.template relax<plane_before(slot, 2), point_of(even, parity, slot)>();
    sweeper.template relax<plane_before(slot, 3), point_of(odd, parity, slot + 1)>();
    constexpr int done = plane_before(slot, 4);
    sweeper.template relax<done, point_of(even, parity, slot)>();
    const int m = k - 4;
    if (m >= at.first && is_in_tile) {
      const PlanePair& pair = sweeper.template plane<done>();
      float* const out = to.out + sweeper.point_before(6);
      float of_pair = 0.0f;
      if (sweeper.is_inner(0)) {
        out[0] = pair.x[0];
        of_pair = sweeper.template equation<0>(done).right_side * pair.x[0];
      }
      if (sweeper.is_inner(1)) {
        out[1] = pair.x[1];
        of_pair += sweeper.template equation<1>(done).right_side * pair.x[1];
      }
      sum += double(of_pair);
    }

    if (to.sums != nullptr && m >= at.first && (m % to.planes_of_sum == 0 || m + 1 == at.last)) {
      for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset);
      const bool has_row =
          int(threadIdx.y) >= tile_halo && int(threadIdx.y) < rows - tile_halo && sweeper.j() < level.ny - 1;
      if (threadIdx.x == 0 && has_row)
        to.sums[blockIdx.x + gridDim.x * (sweeper.j() - 1 +
                                          (level.ny - 2) * std::int64_t((m - 1) / to.planes_of_sum))] = sum;
      sum = 0.0;
    }
  });
}

/// Two sweeps, odd points first, from what `swept` has at the even ones.
template <int rows>
__global__ void __launch_bounds__(march_x* rows)
    go_up_kernel(PackedLevel level, const float* __restrict__ b, const float* __restrict__ swept, UpTarget to,
                 PlaneSpan equations, MarchPart part) {
  extern __shared__ float swept_memory[];
  auto* const shared = reinterpret_cast<SharedPlane<rows>*>(swept_memory);
  const MarchPlace at = march_place(part);
  PairSweeper<rows> sweeper(level, b, equations, at.first - tile_halo, shared);
  if ((sweeper.j() + at.first) % 2 == 0)
    go_up<0>(sweeper, at, swept, to, level, equations);
  else
    go_up<1>(sweeper, at, swept, to, level, equations);
}

}  // namespace ionwell::gpu
