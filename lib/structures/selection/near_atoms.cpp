// SPDX-License-Identifier: BSD-3-Clause
#include "structures/selection/near_atoms.hpp"

#include <algorithm>
#include <cmath>

#include "core/cell_list.hpp"

namespace ionwell {
namespace {

/// Points in the order of their cells, to be asked whether one of them is near.
class NearbyPoints {
 public:
  NearbyPoints(std::span<const Vec3<double>> points, double distance_A)
      : cells_(points, cell_edge_A(distance_A)), distance_A_(distance_A) {
    for (const std::uint32_t n : cells_.order()) points_.push_back(points[n]);
  }

  /// Goes through the rows of cells along x, and of each through the part that a sphere around `p` reaches.
  bool is_near(const Vec3<double>& p) {
    if (last_ < points_.size() && is_within(last_, p)) return true;  // neighbours in a file are so in space
    const CellGrid& grid = cells_.grid();
    const CellRange range = grid.within({p, p}, distance_A_);
    for (std::int64_t k = range.first.z; k <= range.last.z; ++k) {
      const double z_A = beyond(p.z - grid.box.lowest_A.z, k, grid.edge_A.z);
      for (std::int64_t j = range.first.y; j <= range.last.y; ++j) {
        const double y_A = beyond(p.y - grid.box.lowest_A.y, j, grid.edge_A.y);
        const double left_A2 = distance_A_ * distance_A_ - y_A * y_A - z_A * z_A;
        if (left_A2 < 0.0) continue;
        const double reach_A = std::sqrt(left_A2) + rounding_A;
        const CellRange along_x = grid.within({p, p}, reach_A);
        if (along_x.first.x > along_x.last.x) continue;
        const std::int64_t row = cell_number(grid.counts, {0, j, k});
        const std::size_t end = cells_.begin(row + along_x.last.x + 1);
        for (std::size_t at = cells_.begin(row + along_x.first.x); at < end; ++at)
          if (is_within(at, p)) {
            last_ = at;
            return true;
          }
      }
    }
    return false;
  }

 private:
  static constexpr double rounding_A = 1e-6;  // more than a cell's edge may be off at 100,000 A

  /// Small beside the sphere, so that its surface cuts few; large enough to hold some atoms.
  static double cell_edge_A(double distance_A) {
    constexpr double smallest_A = 2.0, largest_A = 6.0;
    return std::clamp(distance_A / 2, smallest_A, largest_A);
  }

  /// How far outside of cell `cell` of its axis `x_A` is, at least; 0 inside.
  static double beyond(double x_A, std::int64_t cell, double edge_A) {
    const double low_A = double(cell) * edge_A;
    return std::max({0.0, low_A - x_A - rounding_A, x_A - low_A - edge_A - rounding_A});
  }

  bool is_within(std::size_t at, const Vec3<double>& p) const {
    return distance_squared(points_[at], p) <= distance_A_ * distance_A_;
  }

  CellList cells_;
  double distance_A_;
  std::vector<Vec3<double>> points_;
  std::size_t last_ = 0;  // of `points_`: the one that was near the last time
};

}  // namespace

std::vector<std::uint8_t> atoms_within(std::span<const Atom> atoms, std::span<const std::uint8_t> selected,
                                       double distance_A) {
  std::vector<Vec3<double>> points;
  for (std::size_t i = 0; i < atoms.size(); ++i)
    if (selected[i] != 0) points.push_back(atoms[i].position_A);
  std::vector<std::uint8_t> near(selected.begin(), selected.end());
  if (points.empty()) return near;
  NearbyPoints nearby(points, distance_A);
  for (std::size_t i = 0; i < atoms.size(); ++i)
    if (near[i] == 0) near[i] = nearby.is_near(atoms[i].position_A);
  return near;
}

}  // namespace ionwell
