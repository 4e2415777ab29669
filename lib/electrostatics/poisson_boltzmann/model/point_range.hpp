#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/box.hpp"
#include "core/lattice.hpp"

namespace ionwell {

/// The lattice points first to last by axis, both included; none when first > last along any of them.
struct PointRange {
  Vec3<std::int64_t> first, last;

  constexpr bool empty() const { return first.x > last.x || first.y > last.y || first.z > last.z; }
  constexpr Vec3<std::int64_t> counts() const {
    return {last.x - first.x + 1, last.y - first.y + 1, last.z - first.z + 1};
  }
  constexpr std::int64_t size() const {
    const Vec3<std::int64_t> n = counts();
    return empty() ? 0 : n.x * n.y * n.z;
  }
  friend constexpr bool operator==(const PointRange&, const PointRange&) = default;
};

/// All points of a lattice.
constexpr PointRange all_points(const LatticeGeometry& lattice) {
  return {{0, 0, 0}, {lattice.counts.x - 1, lattice.counts.y - 1, lattice.counts.z - 1}};
}

/// The points that two ranges share.
constexpr PointRange common_points(const PointRange& a, const PointRange& b) {
  return {{std::max(a.first.x, b.first.x), std::max(a.first.y, b.first.y), std::max(a.first.z, b.first.z)},
          {std::min(a.last.x, b.last.x), std::min(a.last.y, b.last.y), std::min(a.last.z, b.last.z)}};
}

/// The smallest range around two; an empty one adds nothing.
constexpr PointRange joined_points(const PointRange& a, const PointRange& b) {
  if (a.empty()) return b;
  if (b.empty()) return a;
  return {{std::min(a.first.x, b.first.x), std::min(a.first.y, b.first.y), std::min(a.first.z, b.first.z)},
          {std::max(a.last.x, b.last.x), std::max(a.last.y, b.last.y), std::max(a.last.z, b.last.z)}};
}

/// The points of a lattice in `box`, and those at most one spacing beside it.
inline PointRange points_around(const LatticeGeometry& lattice, const Box& box) {
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
  const auto& [origin, h, n] = lattice;
  return {{first(box.lowest_A.x, origin.x, h.x, n.x), first(box.lowest_A.y, origin.y, h.y, n.y),
           first(box.lowest_A.z, origin.z, h.z, n.z)},
          {last(box.highest_A.x, origin.x, h.x, n.x), last(box.highest_A.y, origin.y, h.y, n.y),
           last(box.highest_A.z, origin.z, h.z, n.z)}};
}

}  // namespace ionwell
