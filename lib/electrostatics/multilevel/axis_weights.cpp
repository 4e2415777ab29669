// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/multilevel/axis_weights.hpp"

#include <algorithm>

#include "core/block.hpp"

namespace ionwell {
namespace {

template <typename Real>
Real along(Axis axis, const Vec3<Real>& v) {
  return axis == Axis::x ? v.x : axis == Axis::y ? v.y : v.z;
}

}  // namespace

std::vector<AxisWeights> axis_weights(const MultilevelPlan& plan, const LatticeGeometry& lattice, Axis axis) {
  constexpr int largest_order = 8;
  const LatticeGeometry& grid = plan.levels.front().grid;
  const double grid_origin_A = along(axis, grid.origin_A), h = grid.spacing_A.x;
  const std::int64_t grid_points = along(axis, grid.counts);
  const std::int64_t blocks = along(axis, BlockGrid(lattice).counts);
  const std::int64_t first_point = axis == Axis::z ? lattice.first_plane : 0;
  std::vector<AxisWeights> result;
  for (std::int64_t b = 0; b < blocks; ++b) {
    std::int64_t first[block_edge];
    double weights[block_edge][largest_order];
    for (int a = 0; a < block_edge; ++a) {
      const double x = along(axis, lattice.origin_A) +
                       along(axis, lattice.spacing_A) * double(first_point + block_edge * b + a);
      first[a] = basis_weights(plan.options.basis, (x - grid_origin_A) / h, weights[a]);
    }
    const std::int64_t begin = std::min(first[0], grid_points - 1);
    const std::int64_t end = std::min(first[block_edge - 1] + plan.order, grid_points);
    AxisWeights row{begin, int(end - begin),
                    std::vector<float>(std::size_t(block_edge * (end - begin)), 0.0f)};
    for (int a = 0; a < block_edge; ++a)
      for (int i = 0; i < plan.order; ++i)
        if (first[a] + i < end) row.weights[block_edge * (first[a] + i - begin) + a] = float(weights[a][i]);
    result.push_back(std::move(row));
  }
  return result;
}

}  // namespace ionwell
