// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/periodic_cell.hpp"

namespace ionwell {

/// Points wrapped into a cell, and beside them their images outside of it: whatever is in the cell finds all
/// its neighbours, by whatever image, without periods.
struct ImagesNearCell {
  std::vector<Vec3<double>> positions_A;  // the wrapped points in their order, then the other images
  std::vector<std::uint32_t> point;       // which one it is
  std::vector<Vec3<int>> shift;           // from the place that the point has, in vectors of the cell
};

/// Images up to `reach_A` beyond the cell's faces. O(points).
ImagesNearCell images_near_cell(std::span<const Vec3<double>> points_A, const PeriodicCell& cell,
                                double reach_A);

}  // namespace ionwell
