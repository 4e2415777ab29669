// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/cell_grid.hpp"
#include "core/periodic_cell.hpp"

namespace ionwell {

/// A periodic cell cut into smaller ones along its reduced vectors, the only place where a position becomes a
/// cell there. Usable on both sides.
struct PeriodicCellGrid {
  CellVectors vectors, reciprocal;  // of the reduced cell
  Vec3<double> widths_A;
  Vec3<std::int64_t> counts;

  // A row of cells lies along a: how long it is, how far its points are from its axis, and along it from
  // where the axis is.
  double length_A = 0.0, across_A = 0.0, sideways_A = 0.0;

  /// Cells whose opposite faces are `edge_A` apart, or a little more; but not many more cells than `points`.
  PeriodicCellGrid(const PeriodicCell& cell, std::size_t points, double edge_A) : vectors(cell.reduced()) {
    const PeriodicCell reduced(vectors);
    reciprocal = reduced.reciprocal();
    widths_A = reduced.widths_A();
    // Along an axis at most so many that the empty ones are no burden.
    const double most =
        std::max(8.0, 2 * std::cbrt(double(points)) * std::max({widths_A.x, widths_A.y, widths_A.z}) /
                          std::cbrt(cell.volume_A3()));
    const auto count = [&](double width_A) {
      return std::int64_t(std::clamp(std::floor(width_A / edge_A), 1.0, most));
    };
    counts = {count(widths_A.x), count(widths_A.y), count(widths_A.z)};
    const auto& [a, b, c] = vectors;
    length_A = std::sqrt(dot(a, a));
    const Vec3<double> j_A = (0.5 / double(counts.y)) * b, k_A = (0.5 / double(counts.z)) * c;
    for (const Vec3<double>& corner_A : {j_A + k_A, j_A - k_A})
      across_A = std::max(across_A, std::sqrt(dot(corner_A, corner_A)));
    sideways_A = (std::abs(dot(j_A, a)) + std::abs(dot(k_A, a))) / length_A;
  }

  IONWELL_HD std::int64_t size() const { return counts.x * counts.y * counts.z; }

  IONWELL_HD Vec3<double> fractional(const Vec3<double>& position_A) const {
    return {dot(reciprocal.a, position_A), dot(reciprocal.b, position_A), dot(reciprocal.c, position_A)};
  }

  IONWELL_HD Vec3<double> cartesian_A(const Vec3<double>& fraction) const {
    return fraction.x * vectors.a + fraction.y * vectors.b + fraction.z * vectors.c;
  }

  /// Where a position is: the number of a cell, and the image that lies in the reduced cell.
  struct Place {
    std::int64_t cell;
    Vec3<double> image_A;
  };

  IONWELL_HD Place place(const Vec3<double>& position_A) const {
    const Vec3<double> f = fractional(position_A);
    const Vec3<double> whole{std::floor(f.x), std::floor(f.y), std::floor(f.z)};
    const auto along = [](double x, std::int64_t count) {
      return clamped_cell(std::int64_t(x * double(count)), count);
    };
    const Vec3<std::int64_t> at{along(f.x - whole.x, counts.x), along(f.y - whole.y, counts.y),
                                along(f.z - whole.z, counts.z)};
    return {cell_number(counts, at), position_A - cartesian_A(whole)};
  }

  IONWELL_HD Vec3<double> centre_A(std::int64_t cell) const {
    const std::int64_t x = cell % counts.x, y = cell / counts.x % counts.y, z = cell / (counts.x * counts.y);
    return cartesian_A({(double(x) + 0.5) / double(counts.x), (double(y) + 0.5) / double(counts.y),
                        (double(z) + 0.5) / double(counts.z)});
  }

  /// Farthest that a point of a cell can be from the cell's centre.
  double radius_A() const {
    const auto& [a, b, c] = vectors;
    double largest_A2 = 0.0;
    for (const double j : {-0.5, 0.5})
      for (const double k : {-0.5, 0.5}) {
        const Vec3<double> corner_A =
            (0.5 / double(counts.x)) * a + (j / double(counts.y)) * b + (k / double(counts.z)) * c;
        largest_A2 = std::max(largest_A2, dot(corner_A, corner_A));
      }
    return std::sqrt(largest_A2) * (1 + 1e-12);
  }

  /// Calls visit(first, last, shift_A) for rows of cells, first to last, whose images, moved by shift_A, hold
  /// every image within `distance_A` of a position, and some farther ones.
  template <typename Visit>
  IONWELL_HD void near_rows(const Vec3<double>& position_A, double distance_A, Visit& visit) const {
    constexpr double slack = 1e-9;  // fractions and chords are rounded
    const Vec3<double> f = fractional(position_A);
    const double y_reach = distance_A / widths_A.y, z_reach = distance_A / widths_A.z;
    const auto lowest = [](double x, double reach, std::int64_t n) {
      return std::int64_t(std::floor((x - reach) * double(n) - slack));
    };
    const auto highest = [](double x, double reach, std::int64_t n) {
      return std::int64_t(std::floor((x + reach) * double(n) + slack));
    };
    const double per_A = double(counts.x) / length_A;
    for (std::int64_t k = lowest(f.z, z_reach, counts.z); k <= highest(f.z, z_reach, counts.z); ++k)
      for (std::int64_t j = lowest(f.y, y_reach, counts.y); j <= highest(f.y, y_reach, counts.y); ++j) {
        const Vec3<double> axis_A =
            cartesian_A({0.0, (double(j) + 0.5) / double(counts.y), (double(k) + 0.5) / double(counts.z)}) -
            position_A;
        const double along_A = dot(axis_A, vectors.a) / length_A;
        const double from_axis2_A2 = dot(axis_A, axis_A) - along_A * along_A;
        const double nearest_A = (from_axis2_A2 > 0.0 ? std::sqrt(from_axis2_A2) : 0.0) - across_A;
        if (nearest_A > distance_A * (1 + slack)) continue;
        const double chord2_A2 = distance_A * distance_A - (nearest_A > 0.0 ? nearest_A * nearest_A : 0.0);
        const double chord_A = (chord2_A2 > 0.0 ? std::sqrt(chord2_A2) : 0.0) + sideways_A;
        const auto first = std::int64_t(std::floor((-along_A - chord_A) * per_A - slack));
        const auto last = std::int64_t(std::floor((-along_A + chord_A) * per_A + slack));
        const std::int64_t image_k = quotient(k, counts.z), image_j = quotient(j, counts.y);
        const std::int64_t row = counts.x * ((j - image_j * counts.y) + counts.y * (k - image_k * counts.z));
        for (std::int64_t image_i = quotient(first, counts.x); image_i <= quotient(last, counts.x);
             ++image_i) {
          const std::int64_t from = first - image_i * counts.x, to = last - image_i * counts.x;
          visit(row + (from > 0 ? from : 0), row + (to < counts.x ? to : counts.x - 1),
                cartesian_A({double(image_i), double(image_j), double(image_k)}));
        }
      }
  }

 private:
  /// Of whole numbers, rounded down.
  IONWELL_HD static std::int64_t quotient(std::int64_t x, std::int64_t by) {
    return x >= 0 ? x / by : -((by - 1 - x) / by);
  }
};

}  // namespace ionwell
