// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "core/geometry/numbered.hpp"
#include "core/periodic/periodic_cell_grid.hpp"

namespace ionwell {

/// Points of a periodic cell sorted into smaller cells, to find all those near a position with all their
/// images, also farther away than the cell is long. In the order of their numbers within a cell, so that sums
/// over them are the same in every run. Fewer than 2^32 points
/// (Error); reading it from several threads is safe.
class PeriodicCellList {
 public:
  /// Into cells whose opposite faces are `edge_A` apart, or a little more, but not many more cells than
  /// points.
  PeriodicCellList(const PeriodicCell& cell, std::span<const Vec3<double>> points_A, double edge_A)
      : grid_(cell, points_A.size(), edge_A),
        first_(std::size_t(grid_.size()) + 1),
        order_(numbered(points_A.size())),
        images_A_(points_A.size()) {
    std::vector<std::uint32_t> cells(points_A.size());
    for (std::size_t n = 0; n < points_A.size(); ++n) {
      cells[n] = std::uint32_t(grid_.place(points_A[n]).cell);
      ++first_[std::size_t(cells[n]) + 1];
    }
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
    for (std::size_t n = 0; n < points_A.size(); ++n) {
      const std::uint32_t at = next[cells[n]]++;
      order_[at] = std::uint32_t(n);
      images_A_[at] = grid_.place(points_A[n]).image_A;
    }
  }

  const PeriodicCellGrid& grid() const { return grid_; }

  /// Numbers of the points, cell by cell, and the image of each that lies in the (reduced) cell.
  std::span<const std::uint32_t> order() const { return order_; }
  std::span<const Vec3<double>> images_A() const { return images_A_; }

  /// Where the points of cell `cell` begin in `order`; they end where those of the next one begin.
  std::size_t begin(std::int64_t cell) const { return first_[std::size_t(cell)]; }

  /// Calls visit(number, difference_A) for every image of a point within `distance_A` of a position: the
  /// vector leads from the position to the image.
  template <typename Visit>
  void near(const Vec3<double>& position_A, double distance_A, Visit&& visit) const {
    near_ranges(position_A, distance_A,
                [&](std::size_t first, std::size_t last, const Vec3<double>& shift_A) {
                  const Vec3<double> from_A = position_A - shift_A;
                  for (std::size_t at = first; at < last; ++at) {
                    const Vec3<double> difference_A = images_A_[at] - from_A;
                    if (dot(difference_A, difference_A) <= distance_A * distance_A)
                      visit(order_[at], difference_A);
                  }
                });
  }

  /// All of these and some farther ones as ranges of `order`: calls visit(first, last, shift_A), where
  /// images_A + shift_A are the images that are near.
  template <typename Visit>
  void near_ranges(const Vec3<double>& position_A, double distance_A, Visit&& visit) const {
    if (order_.empty()) return;
    const auto of_cells = [&](std::int64_t first, std::int64_t last, const Vec3<double>& shift_A) {
      const std::size_t begins = begin(first), ends = begin(last + 1);
      if (begins < ends) visit(begins, ends, shift_A);
    };
    grid_.near_rows(position_A, distance_A, of_cells);
  }

 private:
  PeriodicCellGrid grid_;
  std::vector<std::uint32_t> first_, order_;
  std::vector<Vec3<double>> images_A_;
};

}  // namespace ionwell
