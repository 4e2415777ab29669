// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/lattice/mask.hpp"

#include <algorithm>
#include <cmath>
#include <cub/device/device_scan.cuh>

#include "core/cell_grid.hpp"
#include "core/error.hpp"
#include "gpu/lattice/mask.cuh"
#include "gpu/runtime/cell_sort.hpp"
#include "gpu/runtime/launch.hpp"

namespace ionwell::gpu {
namespace {

/// Points sorted into cells, as kernels see them.
struct PointCells {
  CellGrid grid;
  const std::uint32_t* start;  // of each cell in `points`, and the end of the last
  const Vec3<double>* points;
};

__global__ void find_cells(CellGrid grid, const Vec3<double>* points, std::int64_t count,
                           std::uint32_t* cells) {
  const std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) cells[i] = std::uint32_t(grid.cell_of(points[i]));
}

__global__ void all_available(LatticeGeometry lattice, std::int64_t blocks, std::uint64_t* words) {
  const std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= blocks * mask_words) return;
  const BlockFrameD frame = frame_of_block(lattice, i / mask_words);
  const auto left = [](std::int64_t points) { return points < block_edge ? int(points) : block_edge; };
  const int x = left(lattice.counts.x - frame.first_point.x),
            y = left(lattice.counts.y - frame.first_point.y);
  std::uint64_t word = 0;
  if (frame.first_point.z + i % mask_words < lattice.counts.z)
    for (int j = 0; j < y; ++j) word |= std::uint64_t((1u << x) - 1) << (block_edge * j);
  words[i] = word;
}

/// A warp to a block.
__global__ void exclude_kernel(LatticeGeometry lattice, std::int64_t blocks, PointCells cells,
                               double limit_A2, double reach_A, std::uint64_t* all_words) {
  const std::int64_t number = (std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x) / warp_size;
  const int lane = int(threadIdx.x) % warp_size;
  if (number >= blocks) return;
  const BlockFrameD frame = frame_of_block(lattice, number);
  const Box box = box_of_block(frame, lattice.spacing_A);
  const CellRange range = cells.grid.within(box, reach_A);
  if (range.empty()) return;
  std::uint64_t* words = all_words + mask_words * number;
  std::uint32_t mine = load_mask(words, lane);
  if (!__any_sync(full_warp, mine != 0)) return;
  // First whether one sphere alone covers the block, as most blocks inside a solute are.
  for (int pass = 0; pass < 2; ++pass)
    for (int k = int(range.first.z); k <= int(range.last.z); ++k)
      for (int j = int(range.first.y); j <= int(range.last.y); ++j) {
        const std::int64_t row = cell_number(cells.grid.counts, {0, j, k});
        const std::uint32_t end = cells.start[row + range.last.x + 1];
        for (std::uint32_t at = cells.start[row + range.first.x]; at < end; at += warp_size) {
          const bool valid = at + lane < end;
          const Vec3<double> centre = valid ? cells.points[at + lane] : Vec3<double>{};
          const DistanceRange distance = distance_range(box, centre);
          if (pass == 0) {
            if (!__any_sync(full_warp, valid && distance.farthest_A * distance.farthest_A <= limit_A2))
              continue;
            store_mask(words, lane, 0);
            return;
          }
          for (unsigned left = __ballot_sync(full_warp, valid && distance.nearest_A <= reach_A); left != 0;
               left &= left - 1) {
            const int from = __ffs(int(left)) - 1;
            const Vec3<double> at_A{__shfl_sync(full_warp, centre.x, from),
                                    __shfl_sync(full_warp, centre.y, from),
                                    __shfl_sync(full_warp, centre.z, from)};
            mine = exclude_sphere(mine, frame.first_A, lattice.spacing_A, at_A, limit_A2, lane);
          }
          if (!__any_sync(full_warp, mine != 0)) {
            store_mask(words, lane, 0);
            return;
          }
        }
      }
  store_mask(words, lane, mine);
}

/// Marks the blocks that are to be listed by 1; `marks` has one element more than there are blocks.
__global__ void mark_blocks(const std::uint64_t* words, std::int64_t blocks, bool all, std::uint32_t* marks) {
  const std::int64_t b = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (b > blocks) return;
  std::uint64_t any = all ? 1 : 0;
  for (int w = 0; b < blocks && w < mask_words; ++w) any |= words[mask_words * b + w];
  marks[b] = any != 0 ? 1 : 0;
}

/// `place` is the scanned marks: a block is listed when the next one's place is another.
__global__ void write_list(const std::uint32_t* place, std::int64_t blocks, std::int32_t* list,
                           std::int32_t* slot_of) {
  const std::int64_t b = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (b >= blocks) return;
  const bool listed = place[b + 1] != place[b];
  if (listed) list[place[b]] = std::int32_t(b);
  slot_of[b] = listed ? std::int32_t(place[b]) : -1;
}

__global__ void count_points(const std::uint64_t* words, std::int64_t count, unsigned long long* total) {
  unsigned sum = 0;
  const std::int64_t step = std::int64_t(gridDim.x) * blockDim.x;
  for (std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step)
    sum += unsigned(__popcll(words[i]));
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(full_warp, sum, d);
  if (threadIdx.x % warp_size == 0) atomicAdd(total, static_cast<unsigned long long>(sum));
}

/// Replaces data[i] by data[0] + ... + data[i - 1].
void exclusive_sum(DeviceBuffer<std::uint32_t>& data, cudaStream_t stream) {
  const auto sum = [&](void* space, std::size_t& bytes) {
    check(cub::DeviceScan::ExclusiveSum(space, bytes, data.data(), data.data(), std::int64_t(data.size()),
                                        stream),
          "adding up counts");
  };
  std::size_t bytes = 0;
  sum(nullptr, bytes);
  DeviceBuffer<unsigned char> space(std::max<std::size_t>(bytes, 1), "partial sums");
  sum(space.data(), bytes);
  check(cudaStreamSynchronize(stream), "adding up counts");  // the space is freed now
}

}  // namespace

DeviceMask::DeviceMask(const BlockGrid& grid, cudaStream_t stream)
    : lattice_(grid.lattice),
      blocks_(grid.size()),
      words_(std::size_t(mask_words * grid.size()), "the mask") {
  if (blocks_ > std::int64_t(0x7fffffff))
    fail("the lattice has ", grid.lattice.size(), " points; the GPU takes up to 2^40; use --backend cpu");
  all_available<<<blocks_for(blocks_ * mask_words), usual_threads, 0, stream>>>(lattice_, blocks_,
                                                                                words_.data());
  check_launch("making the mask");
}

void DeviceMask::exclude(std::span<const Vec3<double>> centres, double limit_A2, cudaStream_t stream) {
  if (centres.empty() || !(limit_A2 >= 0.0)) return;
  const Vec3<double>& h = lattice_.spacing_A;
  const CellGrid grid = cells_around(centres, block_edge * std::max({h.x, h.y, h.z}));
  const std::int64_t count = std::ssize(centres);
  const DeviceBuffer<Vec3<double>> points(centres, stream, "the atoms");
  DeviceBuffer<Vec3<double>> sorted(centres.size(), "the atoms");
  CellSort sort(count, grid.size(), "the cells of atoms");
  find_cells<<<blocks_for(count), usual_threads, 0, stream>>>(grid, points.data(), count,
                                                              sort.cell_of_item());
  check_launch("finding the cells of atoms");
  sort.sort(count, stream);
  sort.gather(points.data(), sorted.data(), stream);
  const PointCells cells{grid, sort.start(), sorted.data()};
  const double reach_A = std::sqrt(limit_A2) * (1 + 1e-12);
  exclude_kernel<<<blocks_for(blocks_ * warp_size), usual_threads, 0, stream>>>(
      lattice_, blocks_, cells, limit_A2, reach_A, words_.data());
  check_launch("the exclusion");
  check(cudaStreamSynchronize(stream), "the exclusion");  // the cells are freed now
}

DeviceBuffer<std::int32_t> DeviceMask::list_blocks(bool all, DeviceBuffer<std::int32_t>& slot_of,
                                                   cudaStream_t stream) const {
  DeviceBuffer<std::uint32_t> place(std::size_t(blocks_ + 1), "the block list");
  slot_of = DeviceBuffer<std::int32_t>(std::size_t(blocks_), "the block list");
  mark_blocks<<<blocks_for(blocks_ + 1), usual_threads, 0, stream>>>(words_.data(), blocks_, all,
                                                                     place.data());
  exclusive_sum(place, stream);
  std::uint32_t count = 0;
  place.copy_to({&count, 1}, stream, std::size_t(blocks_));
  DeviceBuffer<std::int32_t> list(count, "the block list");
  write_list<<<blocks_for(blocks_), usual_threads, 0, stream>>>(place.data(), blocks_, list.data(),
                                                                slot_of.data());
  check_launch("listing blocks");
  check(cudaStreamSynchronize(stream), "listing blocks");
  return list;
}

std::int64_t DeviceMask::available_points(cudaStream_t stream) const {
  DeviceBuffer<unsigned long long> total(1);
  total.zero(stream);
  constexpr unsigned enough = 1024;
  count_points<<<std::min(enough, blocks_for(std::int64_t(words_.size()))), usual_threads, 0, stream>>>(
      words_.data(), std::int64_t(words_.size()), total.data());
  check_launch("counting points");
  unsigned long long count = 0;
  total.copy_to({&count, 1}, stream);
  return std::int64_t(count);
}

}  // namespace ionwell::gpu
