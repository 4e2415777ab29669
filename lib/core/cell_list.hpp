// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "core/cell_grid.hpp"
#include "core/geometry/numbered.hpp"

namespace ionwell {

/// Points sorted into cells, to find those near a box. In the order of their numbers within a cell, so that
/// sums over them are the same in every run. Fewer than 2^32 points (Error) and cells; reading it from
/// several threads is safe.
class CellList {
 public:
  /// Into the cells of `grid`; position(n) is that of point n of `count`, a Vec3<double> in A. A point
  /// outside of all cells is in the nearest.
  template <typename Position>
  CellList(const CellGrid& grid, std::size_t count, const Position& position)
      : grid_(grid), first_(std::size_t(grid.size()) + 1), order_(numbered(count)) {
    std::vector<std::uint32_t> cells(count);
    for (std::size_t n = 0; n < count; ++n) {
      cells[n] = std::uint32_t(grid_.cell_of(position(n)));
      ++first_[std::size_t(cells[n]) + 1];
    }
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
    for (std::size_t n = 0; n < count; ++n) order_[next[cells[n]]++] = std::uint32_t(n);
  }

  /// Into cubic cells around all points, of edge `cell_A` or more: see cells_around.
  CellList(std::span<const Vec3<double>> points, double cell_A)
      : CellList(
            points.empty() ? CellGrid{{}, {cell_A, cell_A, cell_A}, {1, 1, 1}} : cells_around(points, cell_A),
            points.size(), [points](std::size_t n) { return points[n]; }) {}

  const CellGrid& grid() const { return grid_; }

  /// Numbers of the points, cell by cell.
  std::span<const std::uint32_t> order() const { return order_; }

  /// Where the points of cell `cell` begin in `order`; those of cells first to last end at begin(last + 1).
  std::size_t begin(std::int64_t cell) const { return first_[std::size_t(cell)]; }

  /// Calls visit(number) for every point within `distance_A` of `box` by axis, and for some others nearby.
  template <typename Visit>
  void near(const Box& box, double distance_A, Visit&& visit) const {
    near_ranges(box, distance_A, [&](std::size_t first, std::size_t last) {
      for (std::size_t at = first; at < last; ++at) visit(order_[at]);
    });
  }

  struct Nearest {
    std::uint32_t number = 0;
    double distance2_A2 = std::numeric_limits<double>::infinity();  // when no point was accepted
  };

  /// The point nearest to `position_A` among those with accept(number), of equal ones the first; `points` are
  /// those the list was made of. Looks within `usual_A` first, and farther out only when that is not enough.
  template <typename Accept>
  Nearest nearest(std::span<const Vec3<double>> points, const Vec3<double>& position_A, double usual_A,
                  const Accept& accept) const {
    Nearest found;
    if (order_.empty()) return found;
    const Vec3<double>& lowest_A = grid_.box.lowest_A;
    const Vec3<double> extent = grid_.box.highest_A - lowest_A, away = position_A - lowest_A;
    const double farthest_A = std::sqrt(dot(extent, extent)) + std::sqrt(dot(away, away));
    // A point that is farther away than what was searched may not be the nearest.
    for (double searched_A = 0.0; found.distance2_A2 > searched_A * searched_A && searched_A <= farthest_A;) {
      searched_A = std::max(usual_A, 2 * searched_A);
      near({position_A, position_A}, searched_A, [&](std::uint32_t n) {
        const double d2 = distance_squared(points[n], position_A);
        if (d2 > found.distance2_A2 || (d2 == found.distance2_A2 && n >= found.number)) return;
        if (accept(n)) found = {n, d2};
      });
    }
    return found;
  }

  /// The same points as ranges of `order`: calls visit(first, last).
  template <typename Visit>
  void near_ranges(const Box& box, double distance_A, Visit&& visit) const {
    near_ranges(grid_.within(box, distance_A), visit);
  }

  /// The points in these cells as ranges of `order`: calls visit(first, last).
  template <typename Visit>
  void near_ranges(const CellRange& range, Visit&& visit) const {
    if (order_.empty() || range.empty()) return;
    for (std::int64_t k = range.first.z; k <= range.last.z; ++k)
      for (std::int64_t j = range.first.y; j <= range.last.y; ++j) {
        const std::int64_t row = cell_number(grid_.counts, {0, j, k});
        visit(begin(row + range.first.x), begin(row + range.last.x + 1));
      }
  }

 private:
  CellGrid grid_;
  std::vector<std::uint32_t> first_, order_;
};

}  // namespace ionwell
