#pragma once

#include <span>

#include "core/large_array.hpp"
#include "electrostatics/multilevel/multilevel_plan.hpp"
#include "electrostatics/simd/grid_kernels.hpp"
#include "parallel/progress.hpp"

namespace ionwell {

/// The long-range potential of `charges` [kT/e] on the plan's finest grid, but for the plan's constant:
/// anterpolation, restriction, the levels' own sums, prolongation. i fastest; 8 unused values behind the end.
LargeArray<float> long_range_grid(const MultilevelPlan& plan, std::span<const PointCharge> charges,
                                  const GridKernels& kernels, int threads, const Progress& progress);

}  // namespace ionwell
