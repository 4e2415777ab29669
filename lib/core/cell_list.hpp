#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <vector>

#include "core/structure.hpp"

namespace ionwell {

/// Points sorted into cubic cells, to find those near a box.
class CellList {
 public:
  /// `cell_A` is enlarged when the points are spread so far that there would be too many cells.
  CellList(std::span<const Vec3<double>> points, double cell_A) {
    if (points.empty()) return;
    Vec3<double> lowest = points.front(), highest = lowest;
    for (const Vec3<double>& p : points) {
      lowest = {std::min(lowest.x, p.x), std::min(lowest.y, p.y), std::min(lowest.z, p.z)};
      highest = {std::max(highest.x, p.x), std::max(highest.y, p.y), std::max(highest.z, p.z)};
    }
    box_ = {lowest, highest};
    const Vec3<double> extent = highest - lowest;
    constexpr double most_cells = 1 << 24;
    cell_A_ = cell_A;
    while ((extent.x / cell_A_ + 1) * (extent.y / cell_A_ + 1) * (extent.z / cell_A_ + 1) > most_cells)
      cell_A_ *= 2;
    counts_ = {cell_along(extent.x) + 1, cell_along(extent.y) + 1, cell_along(extent.z) + 1};
    first_.assign(counts_.x * counts_.y * counts_.z + 1, 0);
    for (const Vec3<double>& p : points) ++first_[cell_of(p) + 1];
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    order_.resize(points.size());
    std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
    for (std::size_t i = 0; i < points.size(); ++i) order_[next[cell_of(points[i])]++] = std::uint32_t(i);
  }

  /// Smallest box around all points.
  const Box& box() const { return box_; }

  /// Numbers of the points, cell by cell.
  std::span<const std::uint32_t> order() const { return order_; }

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
    const Vec3<double> extent = box_.highest_A - box_.lowest_A, away = position_A - box_.lowest_A;
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
    if (order_.empty()) return;
    const auto first = [&](double x, double lowest, std::int64_t count) {
      return std::clamp<double>(std::floor((x - distance_A - lowest) / cell_A_), 0.0, double(count));
    };
    const auto last = [&](double x, double lowest, std::int64_t count) {
      return std::clamp<double>(std::floor((x + distance_A - lowest) / cell_A_), -1.0, double(count - 1));
    };
    const std::int64_t i0 = first(box.lowest_A.x, box_.lowest_A.x, counts_.x),
                       i1 = last(box.highest_A.x, box_.lowest_A.x, counts_.x);
    const std::int64_t j0 = first(box.lowest_A.y, box_.lowest_A.y, counts_.y),
                       j1 = last(box.highest_A.y, box_.lowest_A.y, counts_.y);
    const std::int64_t k0 = first(box.lowest_A.z, box_.lowest_A.z, counts_.z),
                       k1 = last(box.highest_A.z, box_.lowest_A.z, counts_.z);
    if (i0 > i1) return;
    for (std::int64_t k = k0; k <= k1; ++k)
      for (std::int64_t j = j0; j <= j1; ++j) {
        const std::int64_t row = counts_.x * (j + counts_.y * k);
        visit(std::size_t(first_[row + i0]), std::size_t(first_[row + i1 + 1]));
      }
  }

 private:
  std::int64_t cell_along(double x) const { return std::int64_t(x / cell_A_); }
  std::int64_t cell_of(const Vec3<double>& p) const {
    const Vec3<double> r = p - box_.lowest_A;
    return cell_along(r.x) + counts_.x * (cell_along(r.y) + counts_.y * cell_along(r.z));
  }

  Box box_;
  double cell_A_ = 1.0;
  Vec3<std::int64_t> counts_;
  std::vector<std::uint32_t> first_, order_;
};

}  // namespace ionwell
