// SPDX-License-Identifier: BSD-3-Clause
#include "core/cell_grid.hpp"

namespace ionwell {

CellGrid cells_around(std::span<const Vec3<double>> points, double edge_A) {
  Box box{points.front(), points.front()};
  for (const Vec3<double>& p : points) box = extended(box, p);
  const Vec3<double> extent = box.highest_A - box.lowest_A;
  constexpr double most_cells = 1 << 24;
  while ((extent.x / edge_A + 1) * (extent.y / edge_A + 1) * (extent.z / edge_A + 1) > most_cells)
    edge_A *= 2;
  const auto count = [edge_A](double length) { return std::int64_t(length / edge_A) + 1; };
  return {box, {edge_A, edge_A, edge_A}, {count(extent.x), count(extent.y), count(extent.z)}};
}

}  // namespace ionwell
