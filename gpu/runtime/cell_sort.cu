// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/runtime/cell_sort.hpp"

#include <algorithm>
#include <bit>
#include <cub/device/device_radix_sort.cuh>

#include "gpu/runtime/launch.hpp"

namespace ionwell::gpu {
namespace {

__global__ void number_items(std::int64_t count, std::uint32_t* numbers) {
  const std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) numbers[i] = std::uint32_t(i);
}

template <typename T>
__global__ void gather_items(const T* from, const std::uint32_t* order, std::int64_t count, T* to) {
  const std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) to[i] = from[order[i]];
}

/// start[c] = number of items in cells below c.
__global__ void find_starts(const std::uint32_t* sorted_cells, std::uint32_t count, std::uint32_t cells,
                            std::uint32_t* start) {
  const std::uint32_t c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c > cells) return;
  std::uint32_t low = 0, high = count;
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    if (sorted_cells[middle] < c)
      low = middle + 1;
    else
      high = middle;
  }
  start[c] = low;
}

}  // namespace

CellSort::CellSort(std::int64_t most_items, std::int64_t cells, std::string_view what)
    : cell_bits_(std::max(1, int(std::bit_width(std::uint64_t(cells - 1))))),
      start_(std::size_t(cells) + 1, what) {
  for (DeviceBuffer<std::uint32_t>* buffer : {&cells_, &sorted_cells_, &numbers_, &order_})
    *buffer = DeviceBuffer<std::uint32_t>(std::size_t(most_items), what);
  std::size_t bytes = 0;
  check(cub::DeviceRadixSort::SortPairs(nullptr, bytes, cells_.data(), sorted_cells_.data(), numbers_.data(),
                                        order_.data(), int(most_items), 0, cell_bits_),
        "asking for the memory that sorting takes");
  space_ = DeviceBuffer<unsigned char>(std::max<std::size_t>(bytes, 1), what);
}

void CellSort::sort(std::int64_t items, cudaStream_t stream) {
  items_ = items;
  if (items > 0) {
    number_items<<<blocks_for(items), usual_threads, 0, stream>>>(items, numbers_.data());
    check_launch("numbering what is sorted");
    std::size_t bytes = space_.size();
    check(cub::DeviceRadixSort::SortPairs(space_.data(), bytes, cells_.data(), sorted_cells_.data(),
                                          numbers_.data(), order_.data(), int(items), 0, cell_bits_, stream),
          "sorting into cells");
  }
  const std::int64_t cells = std::int64_t(start_.size()) - 1;
  find_starts<<<blocks_for(cells + 1), usual_threads, 0, stream>>>(sorted_cells_.data(), std::uint32_t(items),
                                                                   std::uint32_t(cells), start_.data());
  check_launch("finding cells");
}

template <typename T>
void CellSort::gather(const T* from, T* to, cudaStream_t stream) const {
  if (items_ == 0) return;
  gather_items<<<blocks_for(items_), usual_threads, 0, stream>>>(from, order_.data(), items_, to);
  check_launch("putting in order what is sorted");
}

template void CellSort::gather(const int4*, int4*, cudaStream_t) const;
template void CellSort::gather(const Vec3<double>*, Vec3<double>*, cudaStream_t) const;
template void CellSort::gather(const PointCharge*, PointCharge*, cudaStream_t) const;

}  // namespace ionwell::gpu
