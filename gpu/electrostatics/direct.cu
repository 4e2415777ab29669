// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/electrostatics/direct.hpp"

#include <algorithm>

#include "electrostatics/node_distances.hpp"
#include "gpu/electrostatics/direct_sum.cuh"
#include "gpu/runtime/device_buffer.hpp"

namespace ionwell::gpu {
namespace {

constexpr int warps = 4;  // of a thread block
constexpr int threads = warps * warp_size;

/// From so many charges on, the warps of a thread block sum one lattice block together: each ends four times
/// sooner, so that devices do not wait for the last ones. With fewer charges a block is soon done.
constexpr std::int64_t enough_to_share = 32768;

/// With `partial`, the sums of part blockIdx.y of the charges go there, to be added up in order. `shared`:
/// a thread block has one lattice block; otherwise each warp has its own.
template <Kind kind, bool shared>
__global__ void __launch_bounds__(threads, 4)
    add_direct_kernel(DeviceBlocks blocks, const std::int32_t* slots, std::int64_t slot_count,
                      const PointCharge* charges, std::int64_t count, PairPotential pair, NodeDistances nodes,
                      double* partial) {
  __shared__ WarpWorkspace<true> workspace[warps];
  const int warp = int(threadIdx.x) / warp_size;
  const std::int64_t n = shared ? std::int64_t(blockIdx.x) : std::int64_t(blockIdx.x) * warps + warp;
  if (n >= slot_count) return;
  const std::int64_t slot = slots != nullptr ? slots[n] : n;
  const std::int64_t first = count * blockIdx.y / gridDim.y, last = count * (blockIdx.y + 1) / gridDim.y;
  float* values = blocks.values + block_points * slot;
  double* sums =
      partial != nullptr ? partial + block_points * (std::int64_t(blockIdx.y) * slot_count + n) : nullptr;
  const auto take = [&](int point, double sum) {
    if (sums != nullptr)
      sums[point] = sum;
    else
      values[point] = float(double(values[point]) + sum);
  };
  const std::int32_t number = blocks.numbers[slot];
  if constexpr (shared) {
    sum_any_block<kind, true>(blocks.lattice, number, charges, first + warp * warp_size, last, threads, pair,
                              nodes, workspace[warp], [](int, double) {});
    __syncthreads();
    over_sums_of_warps<warps>(blocks.lattice, number, workspace, take);
  } else {
    sum_any_block<kind, true>(blocks.lattice, number, charges, first, last, warp_size, pair, nodes,
                              workspace[warp], take);
  }
}

using AddDirect = decltype(&add_direct_kernel<Kind::coulomb, true>);

template <bool shared>
AddDirect kernel_for(Kind kind) {
  switch (kind) {
    case Kind::coulomb:
      return add_direct_kernel<Kind::coulomb, shared>;
    case Kind::distance_dependent:
      return add_direct_kernel<Kind::distance_dependent, shared>;
    default:
      return add_direct_kernel<Kind::debye_hueckel, shared>;
  }
}

__global__ void add_partial_kernel(float* values, const std::int32_t* slots, std::int64_t slot_count,
                                   const double* partial, int parts) {
  const std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= slot_count * block_points) return;
  const std::int64_t n = i / block_points, slot = slots != nullptr ? slots[n] : n;
  float& value = values[block_points * slot + i % block_points];
  double sum = double(value);
  for (int part = 0; part < parts; ++part) sum += partial[part * slot_count * block_points + i];
  value = float(sum);
}

}  // namespace

int direct_parts(std::int64_t blocks, std::int64_t charges) {
  constexpr std::int64_t enough_warps = 8192, least_charges = 2048;
  return int(std::clamp<std::int64_t>(
      std::min(enough_warps / std::max<std::int64_t>(blocks, 1), charges / least_charges), 1, 1024));
}

void add_direct(const DeviceBlocks& blocks, const std::int32_t* slots, std::int64_t slot_count,
                const PointCharge* charges, std::int64_t count, const PairPotential& pair, int parts,
                cudaStream_t stream) {
  if (slot_count == 0 || count == 0) return;
  DeviceBuffer<double> partial(parts > 1 ? std::size_t(parts) * std::size_t(slot_count * block_points) : 0,
                               "partial sums");
  partial.zero(stream);  // a lattice may end inside a block, which leaves points without sums
  const bool shared = count / parts >= enough_to_share;
  const std::int64_t blocks_of_thread_block = shared ? 1 : warps;
  const AddDirect kernel = shared ? kernel_for<true>(pair.kind) : kernel_for<false>(pair.kind);
  const dim3 grid(unsigned((slot_count + blocks_of_thread_block - 1) / blocks_of_thread_block),
                  unsigned(parts));
  kernel<<<grid, threads, 0, stream>>>(blocks, slots, slot_count, charges, count, pair,
                                       node_distances(pair, blocks.lattice.spacing_A), partial.data());
  check_launch("the direct sum");
  if (parts == 1) return;
  constexpr int adders = 256;
  const std::int64_t points = slot_count * block_points;
  add_partial_kernel<<<unsigned((points + adders - 1) / adders), adders, 0, stream>>>(
      blocks.values, slots, slot_count, partial.data(), parts);
  check_launch("the direct sum's parts");
  check(cudaStreamSynchronize(stream), "the direct sum");  // the parts are freed now
}

}  // namespace ionwell::gpu
