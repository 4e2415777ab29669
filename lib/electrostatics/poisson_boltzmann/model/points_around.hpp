// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "core/box.hpp"
#include "core/lattice.hpp"
#include "electrostatics/poisson_boltzmann/solver/point_box.hpp"

namespace ionwell {

/// None when low > high along any axis.
constexpr bool is_empty(const PointBox& box) {
  return box.low.x > box.high.x || box.low.y > box.high.y || box.low.z > box.high.z;
}

/// How many points by axis, of a box that is not empty.
constexpr Vec3<std::int64_t> counts_of(const PointBox& box) {
  return {box.high.x - box.low.x + 1, box.high.y - box.low.y + 1, box.high.z - box.low.z + 1};
}

constexpr std::int64_t size_of(const PointBox& box) {
  const Vec3<std::int64_t> n = counts_of(box);
  return is_empty(box) ? 0 : n.x * n.y * n.z;
}

/// All points of a lattice.
constexpr PointBox all_points(const LatticeGeometry& lattice) {
  return {{0, 0, 0}, {lattice.counts.x - 1, lattice.counts.y - 1, lattice.counts.z - 1}};
}

/// From the first of some points of a lattice to the last.
inline Box extents_of(const LatticeGeometry& lattice, const PointBox& range) {
  return {lattice.position_A(range.low.x, range.low.y, range.low.z),
          lattice.position_A(range.high.x, range.high.y, range.high.z)};
}

/// The points that two boxes share.
constexpr PointBox common_points(const PointBox& a, const PointBox& b) {
  return {{std::max(a.low.x, b.low.x), std::max(a.low.y, b.low.y), std::max(a.low.z, b.low.z)},
          {std::min(a.high.x, b.high.x), std::min(a.high.y, b.high.y), std::min(a.high.z, b.high.z)}};
}

/// The smallest box around two; an empty one adds nothing.
constexpr PointBox joined_points(const PointBox& a, const PointBox& b) {
  if (is_empty(a)) return b;
  if (is_empty(b)) return a;
  return {{std::min(a.low.x, b.low.x), std::min(a.low.y, b.low.y), std::min(a.low.z, b.low.z)},
          {std::max(a.high.x, b.high.x), std::max(a.high.y, b.high.y), std::max(a.high.z, b.high.z)}};
}

/// The same points and perhaps some more in fewer boxes: two become one where that is not larger than both.
inline std::vector<PointBox> joined_where_near(std::vector<PointBox> boxes) {
  std::erase_if(boxes, [](const PointBox& box) { return is_empty(box); });
  for (std::size_t a = 0; a < boxes.size(); ++a)
    for (std::size_t b = a + 1; b < boxes.size(); ++b) {
      const PointBox both = joined_points(boxes[a], boxes[b]);
      if (size_of(both) > size_of(boxes[a]) + size_of(boxes[b])) continue;
      boxes[a] = both;
      boxes.erase(boxes.begin() + std::ptrdiff_t(b));
      b = a;  // it may be near to others now
    }
  return boxes;
}

/// The points of a lattice in `box`, and those at most one spacing beside it.
inline PointBox points_around(const LatticeGeometry& lattice, const Box& box) {
  const auto along = [](double x_A, double origin_A, double spacing_A, std::int64_t count) {
    const double step = (x_A - origin_A) / spacing_A;
    return step > -2.0 ? (step < double(count) + 1.0 ? step : double(count) + 1.0) : -2.0;
  };
  const auto first = [&](double x_A, double origin_A, double spacing_A, std::int64_t count) {
    return std::max<std::int64_t>(0, std::int64_t(std::floor(along(x_A, origin_A, spacing_A, count))));
  };
  const auto last = [&](double x_A, double origin_A, double spacing_A, std::int64_t count) {
    return std::min<std::int64_t>(count - 1, std::int64_t(std::ceil(along(x_A, origin_A, spacing_A, count))));
  };
  const Vec3<double>&origin = lattice.origin_A, &h = lattice.spacing_A;
  const Vec3<std::int64_t>& n = lattice.counts;
  return {{first(box.lowest_A.x, origin.x, h.x, n.x), first(box.lowest_A.y, origin.y, h.y, n.y),
           first(box.lowest_A.z, origin.z, h.z, n.z)},
          {last(box.highest_A.x, origin.x, h.x, n.x), last(box.highest_A.y, origin.y, h.y, n.y),
           last(box.highest_A.z, origin.z, h.z, n.z)}};
}

}  // namespace ionwell
