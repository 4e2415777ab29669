// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/electrostatics/direct.hpp"

#include <algorithm>

#include "electrostatics/node_distances.hpp"
#include "gpu/electrostatics/direct_sum.cuh"
#include "gpu/runtime/device_buffer.hpp"

namespace ionwell::gpu {
namespace {

constexpr int warps = 4;  // of a thread block, each with a lattice block of its own

/// With `partial`, the sums of part blockIdx.y of the charges go there, to be added up in order.
template <Kind kind>
__global__ void __launch_bounds__(warps* warp_size, 4)
    add_direct_kernel(DeviceBlocks blocks, const std::int32_t* slots, std::int64_t slot_count,
                      const PointCharge* charges, std::int64_t count, PairPotential pair, NodeDistances nodes,
                      double* partial) {
  __shared__ WarpWorkspace<true> workspace[warps];
  const int warp = int(threadIdx.x) / warp_size;
  const std::int64_t n = std::int64_t(blockIdx.x) * warps + warp;
  if (n >= slot_count) return;
  const std::int64_t slot = slots != nullptr ? slots[n] : n;
  const std::int64_t first = count * blockIdx.y / gridDim.y, last = count * (blockIdx.y + 1) / gridDim.y;
  float* values = blocks.values + block_points * slot;
  double* sums =
      partial != nullptr ? partial + block_points * (std::int64_t(blockIdx.y) * slot_count + n) : nullptr;
  sum_any_block<kind, true>(blocks.lattice, blocks.numbers[slot], charges, first, last, warp_size, pair,
                            nodes, workspace[warp], [&](int point, double sum) {
                              if (sums != nullptr)
                                sums[point] = sum;
                              else
                                values[point] = float(double(values[point]) + sum);
                            });
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
  const auto kernel = pair.kind == Kind::coulomb              ? add_direct_kernel<Kind::coulomb>
                      : pair.kind == Kind::distance_dependent ? add_direct_kernel<Kind::distance_dependent>
                                                              : add_direct_kernel<Kind::debye_hueckel>;
  const dim3 grid(unsigned((slot_count + warps - 1) / warps), unsigned(parts));
  kernel<<<grid, warps * warp_size, 0, stream>>>(blocks, slots, slot_count, charges, count, pair,
                                                 node_distances(pair, blocks.lattice.spacing_A),
                                                 partial.data());
  check_launch("the direct sum");
  if (parts == 1) return;
  constexpr int threads = 256;
  const std::int64_t points = slot_count * block_points;
  add_partial_kernel<<<unsigned((points + threads - 1) / threads), threads, 0, stream>>>(
      blocks.values, slots, slot_count, partial.data(), parts);
  check_launch("the direct sum's parts");
  check(cudaStreamSynchronize(stream), "the direct sum");  // the parts are freed now
}

}  // namespace ionwell::gpu
