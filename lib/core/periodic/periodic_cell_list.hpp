#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "core/cell_grid.hpp"
#include "core/periodic_cell.hpp"

namespace ionwell {

/// Points of a periodic cell sorted into smaller cells, to find all those near a position with all their
/// images, also farther away than the cell is long. In the order of their numbers within a cell, so that sums
/// over them are the same in every run. Up to 2^32 points; reading it from several threads is safe.
class PeriodicCellList {
 public:
  /// Into cells whose opposite faces are `edge_A` apart, or a little more, but not many more cells than
  /// points.
  PeriodicCellList(const PeriodicCell& cell, std::span<const Vec3<double>> points_A, double edge_A)
      : cell_(cell.reduced()), order_(points_A.size()), images_A_(points_A.size()) {
    const Vec3<double> widths_A = cell_.widths_A();
    // Along an axis at most so many that the empty ones are no burden.
    const double most =
        std::max(8.0, 2 * std::cbrt(double(points_A.size())) *
                          std::max({widths_A.x, widths_A.y, widths_A.z}) / std::cbrt(cell.volume_A3()));
    const auto count = [&](double width_A) {
      return std::int64_t(std::clamp(std::floor(width_A / edge_A), 1.0, most));
    };
    counts_ = {count(widths_A.x), count(widths_A.y), count(widths_A.z)};
    first_.resize(std::size_t(size()) + 1);
    std::vector<std::uint32_t> cells(points_A.size());
    std::vector<Vec3<double>> wrapped_A(points_A.size());
    for (std::size_t n = 0; n < points_A.size(); ++n) {
      const Vec3<double> f = cell_.fractional(points_A[n]);
      const Vec3<double> whole{std::floor(f.x), std::floor(f.y), std::floor(f.z)};
      wrapped_A[n] = points_A[n] - cell_.cartesian_A(whole);
      const Vec3<std::int64_t> at{clamped_cell(std::int64_t((f.x - whole.x) * double(counts_.x)), counts_.x),
                                  clamped_cell(std::int64_t((f.y - whole.y) * double(counts_.y)), counts_.y),
                                  clamped_cell(std::int64_t((f.z - whole.z) * double(counts_.z)), counts_.z)};
      cells[n] = std::uint32_t(cell_number(counts_, at));
      ++first_[std::size_t(cells[n]) + 1];
    }
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
    for (std::size_t n = 0; n < points_A.size(); ++n) {
      const std::uint32_t at = next[cells[n]]++;
      order_[at] = std::uint32_t(n);
      images_A_[at] = wrapped_A[n];
    }
  }

  /// Number of cells.
  std::int64_t size() const { return counts_.x * counts_.y * counts_.z; }

  /// Numbers of the points, cell by cell, and the image of each that lies in the (reduced) cell.
  std::span<const std::uint32_t> order() const { return order_; }
  std::span<const Vec3<double>> images_A() const { return images_A_; }

  /// Where the points of cell `cell` begin in `order`; they end where those of the next one begin.
  std::size_t begin(std::int64_t cell) const { return first_[std::size_t(cell)]; }

  Vec3<double> centre_A(std::int64_t cell) const {
    const std::int64_t x = cell % counts_.x, y = cell / counts_.x % counts_.y,
                       z = cell / (counts_.x * counts_.y);
    return cell_.cartesian_A({(double(x) + 0.5) / double(counts_.x), (double(y) + 0.5) / double(counts_.y),
                              (double(z) + 0.5) / double(counts_.z)});
  }

  /// Farthest that a point of a cell can be from the cell's centre.
  double cell_radius_A() const {
    const auto& [a, b, c] = cell_.vectors();
    double largest_A2 = 0.0;
    for (const double j : {-0.5, 0.5})
      for (const double k : {-0.5, 0.5}) {
        const Vec3<double> corner_A =
            (0.5 / double(counts_.x)) * a + (j / double(counts_.y)) * b + (k / double(counts_.z)) * c;
        largest_A2 = std::max(largest_A2, dot(corner_A, corner_A));
      }
    return std::sqrt(largest_A2) * (1 + 1e-12);
  }

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
    const auto& [a, b, c] = cell_.vectors();
    const Vec3<double> widths_A = cell_.widths_A(), f = cell_.fractional(position_A);
    constexpr double slack = 1e-9;  // fractions and chords are rounded
    const auto lowest = [&](double x, double width_A, std::int64_t n) {
      return std::int64_t(std::floor((x - distance_A / width_A) * double(n) - slack));
    };
    const auto highest = [&](double x, double width_A, std::int64_t n) {
      return std::int64_t(std::floor((x + distance_A / width_A) * double(n) + slack));
    };
    // A row of cells lies along a: how far its points are from the row's axis, and from the middle along it.
    const double length_A = std::sqrt(dot(a, a));
    const Vec3<double> along = (1 / length_A) * a;
    const Vec3<double> j_A = (0.5 / double(counts_.y)) * b, k_A = (0.5 / double(counts_.z)) * c;
    double across_A = 0.0;
    for (const Vec3<double>& corner : {j_A + k_A, j_A - k_A})
      across_A = std::max(across_A, std::sqrt(dot(corner, corner)));
    const double sideways_A = std::abs(dot(j_A, along)) + std::abs(dot(k_A, along));
    for (std::int64_t k = lowest(f.z, widths_A.z, counts_.z); k <= highest(f.z, widths_A.z, counts_.z); ++k)
      for (std::int64_t j = lowest(f.y, widths_A.y, counts_.y); j <= highest(f.y, widths_A.y, counts_.y);
           ++j) {
        const Vec3<double> axis_A = ((double(j) + 0.5) / double(counts_.y)) * b +
                                    ((double(k) + 0.5) / double(counts_.z)) * c - position_A;
        const double nearest_along_A = dot(axis_A, along);
        const double nearest_A =
            std::sqrt(std::max(0.0, dot(axis_A, axis_A) - nearest_along_A * nearest_along_A)) - across_A;
        if (nearest_A > distance_A * (1 + slack)) continue;
        const double within_A = std::max(0.0, nearest_A);
        const double chord_A =
            std::sqrt(std::max(0.0, distance_A * distance_A - within_A * within_A)) + sideways_A;
        const double per_A = double(counts_.x) / length_A;
        const auto first = std::int64_t(std::floor((-nearest_along_A - chord_A) * per_A - slack));
        const auto last = std::int64_t(std::floor((-nearest_along_A + chord_A) * per_A + slack));
        const std::int64_t image_k = quotient(k, counts_.z), image_j = quotient(j, counts_.y);
        const std::int64_t row =
            counts_.x * ((j - image_j * counts_.y) + counts_.y * (k - image_k * counts_.z));
        for (std::int64_t image_i = quotient(first, counts_.x); image_i <= quotient(last, counts_.x);
             ++image_i) {
          const std::int64_t from = std::max<std::int64_t>(first - image_i * counts_.x, 0);
          const std::int64_t to = std::min(last - image_i * counts_.x, counts_.x - 1);
          const std::size_t begins = begin(row + from), ends = begin(row + to + 1);
          if (begins < ends)
            visit(begins, ends, cell_.cartesian_A({double(image_i), double(image_j), double(image_k)}));
        }
      }
  }

 private:
  /// Of whole numbers, rounded down.
  static std::int64_t quotient(std::int64_t x, std::int64_t by) {
    return x >= 0 ? x / by : -((by - 1 - x) / by);
  }

  PeriodicCell cell_;  // of the reduced vectors
  Vec3<std::int64_t> counts_;
  std::vector<std::uint32_t> first_, order_;
  std::vector<Vec3<double>> images_A_;
};

}  // namespace ionwell
