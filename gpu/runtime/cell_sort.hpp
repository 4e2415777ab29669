// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <string_view>

#include "core/structure.hpp"
#include "gpu/runtime/device_buffer.hpp"

namespace ionwell::gpu {

/// Sorts items into cells on the device, as CellList does on the host: in the order of their numbers within a
/// cell, so that sums over them are the same in every run. Working memory: 20 bytes an item, 4 bytes a cell.
class CellSort {
 public:
  /// For less than 2^31 items and cells; `what` says in a message what did not fit. Throws Error.
  CellSort(std::int64_t most_items, std::int64_t cells, std::string_view what);

  /// Where a kernel writes the cell of each item before `sort`.
  std::uint32_t* cell_of_item() { return cells_.data(); }

  /// Returns before the device is done.
  void sort(std::int64_t items, cudaStream_t stream);

  /// Numbers of the items of the last sort, cell by cell.
  const std::uint32_t* order() const { return order_.data(); }

  /// to[n] = from[number of the n-th item, cell by cell], for the items of the last sort. For int4,
  /// Vec3<double> and PointCharge.
  template <typename T>
  void gather(const T* from, T* to, cudaStream_t stream) const;

  /// Of each cell its first place among the sorted items, and the end of the last cell.
  const std::uint32_t* start() const { return start_.data(); }

 private:
  std::int64_t items_ = 0;  // of the last sort
  int cell_bits_;
  DeviceBuffer<std::uint32_t> cells_, sorted_cells_, numbers_, order_, start_;
  DeviceBuffer<unsigned char> space_;
};

}  // namespace ionwell::gpu
