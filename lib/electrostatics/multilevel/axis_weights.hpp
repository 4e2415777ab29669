// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "electrostatics/multilevel/multilevel_plan.hpp"

namespace ionwell {

/// Interpolation from the finest grid, along one axis, to the 8 lattice points of one row of blocks.
struct AxisWeights {
  std::int64_t first;          // grid point
  int reach;                   // grid points
  std::vector<float> weights;  // [reach][block_edge]
};

enum class Axis { x, y, z };

/// One entry for each block along the axis. Points of the last block that lie beyond the lattice may lie
/// beyond the grid as well: they get what is there.
std::vector<AxisWeights> axis_weights(const MultilevelPlan& plan, const LatticeGeometry& lattice, Axis axis);

}  // namespace ionwell
