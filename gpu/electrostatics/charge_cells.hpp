// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "core/cell_grid.hpp"

/// Charges sorted into cells, as kernels see them.
namespace ionwell::gpu {

/// Positions are integers, so that a difference of two of them is exact: 2^unit_bits of them make one spacing
/// of the finest grid, whose first point is at 0. A cell is a cube of 2^cell_bits of them.
struct ChargeCells {
  const int4* charges;         // x, y, z, and the charge [e] as the bits of a float; cell by cell
  const std::uint32_t* start;  // of each cell in `charges`, x fastest, and the end of the last
  Vec3<int> counts;            // cells by axis
  int unit_bits, cell_bits;

  /// Number of a cell, of which there are fewer than 2^31.
  IONWELL_HD std::uint32_t number(const Vec3<int>& cell) const {
    return std::uint32_t(cell_number(counts, cell));
  }
  /// Number of the cell that holds a position, or of the one nearest to a position outside of all.
  IONWELL_HD std::uint32_t cell_of(int x, int y, int z) const {
    return number({clamped_cell(x >> cell_bits, counts.x), clamped_cell(y >> cell_bits, counts.y),
                   clamped_cell(z >> cell_bits, counts.z)});
  }
};

}  // namespace ionwell::gpu
