// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/box.hpp"
#include "core/periodic_cell.hpp"

namespace ionwell {

/// One periodic image of a point.
struct PointImage {
  std::uint32_t point = 0;
  Vec3<double> position_A;
};

/// The images of points, without the points themselves, that lie in a box or within `reach_A` of it by axis:
/// whatever is in the box is as near to the points and these as it is to the points in a periodic cell, up to
/// that distance. In the order of the points. O(points + images). Fewer than 2^32 points (Error).
std::vector<PointImage> images_near_box(std::span<const Vec3<double>> points_A, const PeriodicCell& cell,
                                        const Box& box, double reach_A);

}  // namespace ionwell
