// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/lattice/device_store.hpp"

#include <cmath>

#include "core/error.hpp"
#include "gpu/electrostatics/block_traffic.hpp"
#include "gpu/lattice/linear.hpp"
#include "gpu/lattice/map_on_gpu.hpp"
#include "gpu/lattice/mask.cuh"
#include "gpu/runtime/launch.hpp"
#include "gpu/runtime/stage_timer.hpp"

namespace ionwell::gpu {
namespace {

/// Index of a block's point in the lattice, -1 when the lattice ends before it.
__device__ inline std::int64_t lattice_index(const LatticeGeometry& lattice, const BlockFrameD& frame,
                                             int point) {
  const std::int64_t i = frame.first_point.x + point % block_edge,
                     j = frame.first_point.y + point / block_edge % block_edge,
                     k = frame.first_point.z + point / (block_edge * block_edge);
  const bool inside = i < lattice.counts.x && j < lattice.counts.y && k < lattice.counts.z;
  return inside ? lattice.index(i, j, k) : -1;
}

/// Takes away the points where the map does not reach; a warp to a block.
__global__ void keep_known_kernel(LatticeGeometry lattice, std::int64_t blocks, const double* map,
                                  std::uint64_t* mask) {
  const std::int64_t number = (std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x) / warp_size;
  if (number >= blocks) return;
  const int lane = int(threadIdx.x) % warp_size;
  std::uint64_t* words = mask + mask_words * number;
  const BlockFrameD frame = frame_of_block(lattice, number);
  const std::uint32_t before = load_mask(words, lane);
  std::uint32_t after = before;
#pragma unroll
  for (int n = 0; n < 2 * mask_words; ++n)
    if (before >> n & 1 && isnan(map[lattice_index(lattice, frame, warp_size * n + lane)]))
      after &= ~(1u << n);
  __syncwarp();
  if (__any_sync(full_warp, before != after)) store_mask(words, lane, after);
}

/// A point to a thread.
__global__ void assign_kernel(DeviceBlocks blocks, const double* map) {
  const std::int64_t n = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (n >= blocks.count * block_points) return;
  const BlockFrameD frame = frame_of_block(blocks.lattice, blocks.numbers[n / block_points]);
  const std::int64_t index = lattice_index(blocks.lattice, frame, int(n % block_points));
  const double value = index < 0 ? 0.0 : map[index];
  blocks.values[n] = isnan(value) ? 0.0f : float(value);  // rounding it is part of every block's error
}

}  // namespace

DeviceStore::DeviceStore(const LatticeGeometry& lattice, bool every_point, int device, int main_device)
    : scope_(device, main_device), grid_(lattice), every_point_(every_point), mask_(grid_, stream_) {
  scope_.close();
}

DeviceStore::~DeviceStore() {
  scope_.open_if_possible();
}

void DeviceStore::make_blocks(std::int64_t extra_bytes_per_block) {
  numbers_ = mask_.list_blocks(every_point_, slot_of_, stream_);
  const std::int64_t count = std::int64_t(numbers_.size());
  require_memory(count, value_bytes_per_block + extra_bytes_per_block);
  values_ = DeviceBuffer<float>(std::size_t(block_points * count), "the lattice's values");
  values_.zero(stream_);
}

void DeviceStore::require_memory(std::int64_t blocks, std::int64_t bytes_per_block) const {
  std::size_t free_bytes = 0, total_bytes = 0;
  check(cudaMemGetInfo(&free_bytes, &total_bytes), "looking at the device's memory");
  const double needed = double(blocks) * double(bytes_per_block);
  if (needed <= double(free_bytes)) return;
  fail("a lattice with ", double(blocks) * block_points, " points to compute needs ", needed / 1e9,
       " GB on the GPU, but only ", double(free_bytes) / 1e9, " of ", double(total_bytes) / 1e9,
       " GB are free; use a larger --spacing, a smaller --border, another device (--devices) or --backend "
       "cpu");
}

void DeviceStore::keep_known_points(const double* map) {
  keep_known_kernel<<<blocks_for(grid_.size() * warp_size), usual_threads, 0, stream_>>>(
      grid_.lattice, grid_.size(), map, mask_.words());
  check_launch("reading the imported map");
}

void DeviceStore::set_values(const double* map) {
  const DeviceBlocks all = blocks();
  if (all.count > 0)
    assign_kernel<<<blocks_for(all.count * block_points), usual_threads, 0, stream_>>>(all, map);
  check_launch("reading the imported map");
}

void DeviceStore::copy_values(std::span<float> values) {
  StageTimer timer("map to host", stream_);
  copy_linear(grid_.lattice, static_cast<const float*>(values_.data()), slot_of_.data(), values, stream_);
  timer.stop();
}

std::unique_ptr<MapOnDevice> DeviceStore::map_in_order(double factor) {
  auto values = std::make_unique<MapOnGpu>(std::size_t(grid_.lattice.size()), scope_.device(), meter());
  put_in_order(grid_.lattice, values_.data(), slot_of_.data(), factor, values->data(), stream_);
  check(cudaStreamSynchronize(stream_), "putting the map in order");
  return values;
}

}  // namespace ionwell::gpu
