#include <cmath>

#include "core/error.hpp"
#include "gpu/lattice/mask.cuh"
#include "gpu/placement/field_on_gpu.hpp"
#include "gpu/runtime/launch.hpp"
#include "gpu/runtime/stage_timer.hpp"

// Placing in an imported potential: GpuField::assign.
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

void GpuField::assign(std::span<const double> values) {
  require_value_for_each_point(grid_.lattice, values);
  const DeviceScope scope = scope_.enter();
  StageTimer timer("potential", stream_);
  imported_ = {};
  imported_ = DeviceBuffer<double>(values, stream_, "the imported map");
  keep_known_kernel<<<blocks_for(grid_.size() * warp_size), usual_threads, 0, stream_>>>(
      grid_.lattice, grid_.size(), imported_.data(), mask_.words());
  check_launch("reading the imported map");
  make_blocks();
  if (arrays_.blocks.count > 0)
    assign_kernel<<<blocks_for(arrays_.blocks.count * block_points), usual_threads, 0, stream_>>>(
        arrays_.blocks, imported_.data());
  check_launch("reading the imported map");
  timer.stop();
  arrays_.imported = imported_.data();
  untouched_ = false;
  solute_error_known_ = searchable_ = false;
  if (!options_.every_point) prepare_search();
}

}  // namespace ionwell::gpu
