// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "gpu/placement/bounds_of_values.cuh"

/// A block's values and mask when ions come: one block by a thread block, one ion's surroundings by warps.
namespace ionwell::gpu {

struct SumWorkspace {
  WarpWorkspace<false> warp[search_warps];
  float magnitude[search_warps];
};

struct RefreshWorkspace {
  SumWorkspace sum;
  RangeWithError here;
};

/// Adds ions [ions_in, ions) to a slot's values and recomputes its bounds; by a thread block, which gets
/// `here`.
template <Kind kind>
__device__ inline void bring_up_to_date(const SearchArrays& arrays, std::int64_t slot, std::uint32_t ions,
                                        bool changed, SumWorkspace& workspace, RangeWithError& here) {
  const int warp = int(threadIdx.x) / warp_size, lane = int(threadIdx.x) % warp_size;
  const std::uint32_t first = arrays.ions_in[slot];
  const std::int64_t number = arrays.blocks.numbers[slot];
  float magnitude = 0.0f;
  if (first < ions) {
    const LatticeGeometry& lattice = arrays.blocks.lattice;
    sum_any_block<kind, false>(lattice, number, arrays.ions, std::int64_t(first) + warp * warp_size, ions,
                               search_threads, arrays.pair, {}, workspace.warp[warp], [](int, double) {});
    const BlockFrameD frame = frame_of_block(lattice, number);
    const Vec3<double> centre = block_centre_A(frame, lattice.spacing_A);
    const float slack = block_slack_A(lattice.spacing_A);
    for (std::uint32_t i = first + threadIdx.x; i < ions; i += search_threads)
      magnitude += magnitude_of(arrays.pair, centre, slack, arrays.ion_clearance_A[i], arrays.ions[i]);
    magnitude = warp_sum(magnitude);
    if (lane == 0) workspace.magnitude[warp] = magnitude;
    __syncthreads();
    float* values = arrays.blocks.values + block_points * slot;
    over_sums_of_warps<search_warps>(lattice, number, workspace.warp, [&](int point, double sum) {
      values[point] = float(double(values[point]) + sum);
    });
    __syncthreads();
  }
  if (warp == 0) {
    float added = 0.0f;
    if (first < ions) {
      for (int w = 0; w < search_warps; ++w) added += workspace.magnitude[w];
      added *= float(rounding_of_direct_sum * (1 + 1e-5));
    }
    const RangeWithError found = recompute_bounds(arrays, slot, ions, added, changed || first < ions);
    if (lane == 0) {
      here = found;
      arrays.ions_in[slot] = ions;
    }
  }
  __syncthreads();
}

/// Where the points within the reach of an ion begin and how many blocks of them there are, by axis.
__device__ inline void blocks_around(double origin, double spacing, std::int64_t blocks, double x,
                                     double reach, std::int64_t& first, int& count) {
  const double edge = block_edge * spacing, most = double(blocks - 1);
  const double from = fmin(fmax(floor((x - reach - origin) / edge) - 1, 0.0), most);
  const double to = fmin(fmax(floor((x + reach - origin) / edge) + 1, 0.0), most);
  first = std::int64_t(from);
  count = int(to - from) + 1;
}

/// A warp to a block near the ion; `warp` of `warps` in the grid.
__device__ inline void exclude_ion(const SearchArrays& arrays, const Vec3<double>& ion_A, double limit_A2,
                                   std::int64_t warp, std::int64_t warps) {
  if (!(limit_A2 >= 0.0)) return;
  const int lane = int(threadIdx.x) % warp_size;
  const LatticeGeometry& lattice = arrays.blocks.lattice;
  const double reach = sqrt(limit_A2) * (1 + 1e-12);
  const Vec3<double> origin = lattice.first_point_A();
  Vec3<std::int64_t> first;
  int nx, ny, nz;
  blocks_around(origin.x, lattice.spacing_A.x, arrays.block_counts.x, ion_A.x, reach, first.x, nx);
  blocks_around(origin.y, lattice.spacing_A.y, arrays.block_counts.y, ion_A.y, reach, first.y, ny);
  blocks_around(origin.z, lattice.spacing_A.z, arrays.block_counts.z, ion_A.z, reach, first.z, nz);
  for (std::int64_t n = warp; n < std::int64_t(nx) * ny * nz; n += warps) {
    const std::int64_t number =
        first.x + n % nx +
        arrays.block_counts.x *
            (first.y + n / nx % ny + arrays.block_counts.y * (first.z + n / (std::int64_t(nx) * ny)));
    std::uint64_t* words = arrays.mask + mask_words * number;
    const BlockFrameD frame = frame_of_block(lattice, number);
    const std::uint32_t before = load_mask(words, lane);
    const std::uint32_t after =
        exclude_sphere(before, frame.first_A, lattice.spacing_A, ion_A, limit_A2, lane);
    __syncwarp();
    if (__any_sync(full_warp, before != after)) store_mask(words, lane, after);
  }
}

}  // namespace ionwell::gpu
