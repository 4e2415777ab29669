// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>

#include "core/box.hpp"

namespace ionwell {

/// Number of a cell, x fastest, then y.
template <typename Integer>
IONWELL_HD constexpr Integer cell_number(const Vec3<Integer>& counts, const Vec3<Integer>& cell) {
  return cell.x + counts.x * (cell.y + counts.y * cell.z);
}

/// The cell of 0 to `count` - 1 that is nearest to `cell`.
template <typename Integer>
IONWELL_HD constexpr Integer clamped_cell(Integer cell, Integer count) {
  return cell < 0 ? 0 : (cell < count ? cell : count - 1);
}

/// The cells first to last by axis, which are none when first > last along any of them.
struct CellRange {
  Vec3<std::int64_t> first, last;

  IONWELL_HD constexpr bool empty() const { return first.x > last.x || first.y > last.y || first.z > last.z; }
};

/// A box cut into equal cells, the only place where a position becomes a cell: cell (i,j,k) begins at
/// box.lowest_A + edge_A * (i,j,k) by axis and holds its lower faces. Usable on both sides.
struct CellGrid {
  Box box;
  Vec3<double> edge_A;
  Vec3<std::int64_t> counts;

  IONWELL_HD constexpr std::int64_t size() const { return counts.x * counts.y * counts.z; }

  /// Number of the cell that holds a position, or of the one nearest to a position outside of all.
  IONWELL_HD constexpr std::int64_t cell_of(const Vec3<double>& position_A) const {
    const Vec3<double> r = position_A - box.lowest_A;
    return cell_number(counts, {along(r.x / edge_A.x, counts.x), along(r.y / edge_A.y, counts.y),
                                along(r.z / edge_A.z, counts.z)});
  }

  /// All cells with a position within `distance_A` of `near` by axis.
  IONWELL_HD CellRange within(const Box& near, double distance_A) const {
    const auto first = [distance_A](double x, double lowest, double edge, std::int64_t count) {
      const double cell = (x - distance_A - lowest) / edge;
      return cell > 0.0 ? (cell < double(count) ? std::int64_t(cell) : count) : 0;
    };
    const auto last = [distance_A](double x, double lowest, double edge, std::int64_t count) {
      const double cell = (x + distance_A - lowest) / edge;
      return cell >= 0.0 ? (cell < double(count) ? std::int64_t(cell) : count - 1) : -1;
    };
    const Vec3<double>& from = box.lowest_A;
    return {{first(near.lowest_A.x, from.x, edge_A.x, counts.x),
             first(near.lowest_A.y, from.y, edge_A.y, counts.y),
             first(near.lowest_A.z, from.z, edge_A.z, counts.z)},
            {last(near.highest_A.x, from.x, edge_A.x, counts.x),
             last(near.highest_A.y, from.y, edge_A.y, counts.y),
             last(near.highest_A.z, from.z, edge_A.z, counts.z)}};
  }

 private:
  IONWELL_HD static constexpr std::int64_t along(double cell, std::int64_t count) {
    return cell > 0.0 ? (cell < double(count) ? std::int64_t(cell) : count - 1) : 0;
  }
};

/// Cubic cells over the smallest box around `points`, of which there must be at least one. `edge_A` is
/// doubled until there are at most 2^24 cells, which keeps points that are far apart from taking all memory.
CellGrid cells_around(std::span<const Vec3<double>> points, double edge_A);

}  // namespace ionwell
