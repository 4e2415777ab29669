// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "core/cell_grid.hpp"

/// How kernels go over what lies near a box.
namespace ionwell::gpu {

/// The squared distance of a position from a box.
__device__ inline double distance2_to_box(const Vec3<double>& lowest_A, const Vec3<double>& highest_A,
                                          const Vec3<double>& at_A) {
  const auto beyond = [](double low, double high, double x) {
    return x < low ? low - x : (x > high ? x - high : 0.0);
  };
  const double x = beyond(lowest_A.x, highest_A.x, at_A.x), y = beyond(lowest_A.y, highest_A.y, at_A.y),
               z = beyond(lowest_A.z, highest_A.z, at_A.z);
  return x * x + y * y + z * z;
}

/// Calls work(n, is_one) with all lanes of a warp for what lies in cells that are within `distance_A` of a
/// box: n is the lane's place in the order of the cells, if it is one.
template <typename Work>
__device__ void over_near(const CellGrid& grid, const std::uint32_t* start, const Vec3<double>& lowest_A,
                          const Vec3<double>& highest_A, double distance_A, const Work& work) {
  const CellRange range = grid.within({lowest_A, highest_A}, distance_A);
  if (range.empty()) return;
  const int lane = int(threadIdx.x % 32), rows_y = int(range.last.y - range.first.y + 1),
            rows = rows_y * int(range.last.z - range.first.z + 1);
  for (int first_row = 0; first_row < rows; first_row += 32) {
    // A lane looks up a row of cells, so that there is one wait for all.
    std::uint32_t first = 0, last = 0;
    if (const int r = first_row + lane; r < rows) {
      const std::int64_t row =
          cell_number(grid.counts, {std::int64_t{0}, range.first.y + r % rows_y, range.first.z + r / rows_y});
      first = start[row + range.first.x];
      last = start[row + range.last.x + 1];
    }
    for (int r = 0; r < min(rows - first_row, 32); ++r) {
      const std::int64_t row_first = __shfl_sync(0xffffffffu, first, r),
                         row_last = __shfl_sync(0xffffffffu, last, r);
      for (std::int64_t n = row_first; n < row_last; n += 32) work(n + lane, n + lane < row_last);
    }
  }
}

/// The lanes of a warp before this one whose bits are set.
__device__ inline int bits_before_lane(unsigned bits) {
  return __popc(bits & ((1u << (threadIdx.x % 32)) - 1u));
}

}  // namespace ionwell::gpu
