// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "gpu/electrostatics/by_kind.hpp"
#include "gpu/placement/exact.cuh"
#include "gpu/placement/refresh.cuh"
#include "gpu/placement/search.hpp"
#include "gpu/runtime/check.hpp"
#include "gpu/runtime/launch.hpp"

// What is done to all blocks, or many, at once; a search does it to a few.
namespace ionwell::gpu {
namespace {

__global__ void exclude_ion_kernel(const SearchArrays arrays, std::uint32_t ion) {
  const std::int64_t warp = (std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x) / warp_size;
  exclude_ion(arrays, arrays.ions[ion].position_A, arrays.ion_limit_A2[ion], warp,
              std::int64_t(gridDim.x) * blockDim.x / warp_size);
}

__global__ void place_cubes_kernel(const SearchArrays arrays) {
  const std::int64_t cube = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (cube >= arrays.cubes_per_part * arrays.parts) return;
  const std::int64_t slot = arrays.slot_of_cube(cube);
  if (slot >= arrays.blocks.count) return;
  arrays.block_of_cube[cube] = std::uint32_t(arrays.blocks.numbers[slot]);
}

__global__ void recompute_bounds_kernel(const SearchArrays arrays, std::uint32_t ions) {
  const std::int64_t slot = (std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x) / warp_size;
  if (slot < arrays.blocks.count) recompute_bounds(arrays, slot, ions, 0.0f, true);
}

template <Kind kind>
__global__ void __launch_bounds__(search_threads, 2)
    bring_up_to_date_kernel(const SearchArrays arrays, const std::int32_t* slots, std::int64_t count,
                            std::uint32_t ions) {
  extern __shared__ char shared[];
  RefreshWorkspace& workspace = *reinterpret_cast<RefreshWorkspace*>(shared);
  for (std::int64_t n = blockIdx.x; n < count; n += gridDim.x) {
    const std::int64_t slot = slots != nullptr ? slots[n] : n;
    if (slots != nullptr || arrays.ions_in[slot] < ions)
      bring_up_to_date<kind>(arrays, slot, ions, slots != nullptr, workspace.sum, workspace.here);
  }
}

__global__ void add_error_kernel(const SearchArrays arrays, float error_kT_e) {
  const std::int64_t slot = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (slot < arrays.blocks.count) arrays.error_kT_e[slot] += error_kT_e;
}

__global__ void rounding_kernel(const SearchArrays arrays, const std::int32_t* slots, std::int64_t count,
                                double clearance_A) {
  const std::int64_t n = (std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x) / warp_size;
  if (n >= count) return;
  const int lane = int(threadIdx.x) % warp_size;
  const std::int64_t slot = slots != nullptr ? slots[n] : n;
  const LatticeGeometry& lattice = arrays.blocks.lattice;
  const Vec3<double> centre =
      block_centre_A(frame_of_block(lattice, arrays.blocks.numbers[slot]), lattice.spacing_A);
  const float slack = block_slack_A(lattice.spacing_A), clearance = float(clearance_A) * 0.99999f;
  double total = 0.0;
  for (std::int64_t c = lane; c < arrays.charge_count;) {
    float sum = 0.0f;
    for (int i = 0; i < 64 && c < arrays.charge_count; ++i, c += warp_size)
      sum += magnitude_of(arrays.pair, centre, slack, clearance, arrays.charges[c]);
    total += double(sum);
  }
  total = reduce_warp(total, [](double a, double b) { return a + b; });
  if (lane == 0) arrays.error_kT_e[slot] += float(rounding_of_direct_sum * total * (1 + 1e-5));
}

__global__ void forget_kernel(const SearchArrays arrays, const std::int32_t* slots, std::int64_t count) {
  const std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= count * block_points) return;
  const std::int64_t slot = slots[i / block_points];
  arrays.blocks.values[block_points * slot + i % block_points] = 0.0f;
  if (i % block_points != 0) return;
  arrays.error_kT_e[slot] = 0.0f;
  arrays.ions_in[slot] = 0;
  arrays.direct[slot] = 1;
}

template <Kind kind>
__global__ void __launch_bounds__(search_threads)
    sum_exactly_kernel(const SearchArrays arrays, const std::int64_t* index, std::int64_t count,
                       std::uint32_t ions, Summand summand, double* exact) {
  const auto term = [&](PointCharge charge, const Vec3<double>& at) {
    if (summand == Summand::magnitude) charge.charge_e = fabs(charge.charge_e);
    return exact_term<kind>(arrays.pair, charge, at);
  };
  __shared__ double of_warp[search_warps];
  for (std::int64_t n = blockIdx.x; n < count; n += gridDim.x) {
    const Vec3<double> at = arrays.blocks.lattice.position_A(index[n]);
    double sum = 0.0;
    for (std::int64_t i = threadIdx.x; i < arrays.charge_count; i += search_threads)
      sum += term(arrays.charges[i], at);
    for (std::int64_t i = threadIdx.x; i < ions; i += search_threads) sum += term(arrays.ions[i], at);
    sum = reduce_warp(sum, [](double a, double b) { return a + b; });
    if (threadIdx.x % warp_size == 0) of_warp[threadIdx.x / warp_size] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
      double total = 0.0;
      for (int w = 0; w < search_warps; ++w) total += of_warp[w];
      const double imported = imported_at(arrays, index[n]);
      exact[n] = (summand == Summand::magnitude ? fabs(imported) : imported) + arrays.pair.prefactor * total;
    }
    __syncthreads();
  }
}

__global__ void count_available_kernel(const SearchArrays arrays, std::uint16_t* counts) {
  const std::int64_t slot = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (slot >= arrays.blocks.count) return;
  const std::uint64_t* words = arrays.mask + mask_words * std::int64_t(arrays.blocks.numbers[slot]);
  int count = 0;
  for (int w = 0; w < mask_words; ++w) count += __popcll(words[w]);
  counts[slot] = std::uint16_t(count);
}

__global__ void sample_kernel(const SearchArrays arrays, const Sample* samples, std::int64_t count,
                              std::int64_t* index, float* value) {
  const std::int64_t n = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n >= count) return;
  const std::int64_t slot = samples[n].slot, number = arrays.blocks.numbers[slot];
  const std::uint64_t* words = arrays.mask + mask_words * number;
  int p = samples[n].point;
  for (int tries = 0; tries < block_points && (words[p / 64] >> (p % 64) & 1) == 0; ++tries)
    p = (p + 1) % block_points;
  const Vec3<std::int64_t> first = frame_of_block(arrays.blocks.lattice, number).first_point;
  index[n] = arrays.blocks.lattice.index(first.x + p % block_edge, first.y + p / block_edge % block_edge,
                                         first.z + p / (block_edge * block_edge));
  value[n] = arrays.blocks.values[block_points * slot + p];
}

}  // namespace

void exclude_ions(const SearchArrays& arrays, std::uint32_t first, std::uint32_t last, cudaStream_t stream) {
  constexpr unsigned enough = 64;
  for (std::uint32_t i = first; i < last; ++i)
    exclude_ion_kernel<<<enough, search_threads, 0, stream>>>(arrays, i);
  check_launch("the exclusion around ions");
}

void place_cubes(const SearchArrays& arrays, cudaStream_t stream) {
  place_cubes_kernel<<<blocks_for(arrays.cubes_per_part * arrays.parts), usual_threads, 0, stream>>>(arrays);
  check_launch("placing bounds");
}

void recompute_all_bounds(const SearchArrays& arrays, std::uint32_t ions, cudaStream_t stream) {
  recompute_bounds_kernel<<<blocks_for(arrays.blocks.count * warp_size), usual_threads, 0, stream>>>(arrays,
                                                                                                     ions);
  check_launch("bounding blocks");
}

void bring_up_to_date(const SearchArrays& arrays, const std::int32_t* slots, std::int64_t count,
                      std::uint32_t ions, cudaStream_t stream) {
  auto* kernel = of_kind(arrays.pair.kind, bring_up_to_date_kernel<Kind::coulomb>,
                         bring_up_to_date_kernel<Kind::distance_dependent>,
                         bring_up_to_date_kernel<Kind::debye_hueckel>);
  check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             int(sizeof(RefreshWorkspace))),
        "setting up the ions' sum");
  const std::int64_t grid = std::min<std::int64_t>(count, 1 << 16);
  if (grid > 0)
    kernel<<<unsigned(grid), search_threads, sizeof(RefreshWorkspace), stream>>>(arrays, slots, count, ions);
  check_launch("the ions' sum");
}

void bring_all_up_to_date(const SearchArrays& arrays, std::uint32_t ions, cudaStream_t stream) {
  bring_up_to_date(arrays, nullptr, arrays.blocks.count, ions, stream);
}

void add_error(const SearchArrays& arrays, float error_kT_e, cudaStream_t stream) {
  add_error_kernel<<<blocks_for(arrays.blocks.count), usual_threads, 0, stream>>>(arrays, error_kT_e);
  check_launch("adding errors");
}

void add_rounding_errors(const SearchArrays& arrays, const std::int32_t* slots, std::int64_t count,
                         double clearance_A, cudaStream_t stream) {
  rounding_kernel<<<blocks_for(count * warp_size), usual_threads, 0, stream>>>(arrays, slots, count,
                                                                               clearance_A);
  check_launch("bounding the rounding");
}

void forget_values(const SearchArrays& arrays, const std::int32_t* slots, std::int64_t count,
                   cudaStream_t stream) {
  forget_kernel<<<blocks_for(count * block_points), usual_threads, 0, stream>>>(arrays, slots, count);
  check_launch("clearing values");
}

void sum_exactly(const SearchArrays& arrays, const std::int64_t* index, std::int64_t count,
                 std::uint32_t ions, Summand summand, double* exact, cudaStream_t stream) {
  auto* kernel =
      of_kind(arrays.pair.kind, sum_exactly_kernel<Kind::coulomb>,
              sum_exactly_kernel<Kind::distance_dependent>, sum_exactly_kernel<Kind::debye_hueckel>);
  const std::int64_t grid = std::min<std::int64_t>(count, 1 << 16);
  if (grid > 0)
    kernel<<<unsigned(grid), search_threads, 0, stream>>>(arrays, index, count, ions, summand, exact);
  check_launch("exact sums");
}

void count_available(const SearchArrays& arrays, std::uint16_t* counts, cudaStream_t stream) {
  count_available_kernel<<<blocks_for(arrays.blocks.count), usual_threads, 0, stream>>>(arrays, counts);
  check_launch("counting points");
}

void look_at_samples(const SearchArrays& arrays, const Sample* samples, std::int64_t count,
                     std::int64_t* index, float* value, cudaStream_t stream) {
  sample_kernel<<<blocks_for(count), usual_threads, 0, stream>>>(arrays, samples, count, index, value);
  check_launch("looking at samples");
}

}  // namespace ionwell::gpu
