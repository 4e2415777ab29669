// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "core/large_array.hpp"
#include "electrostatics/multilevel/multilevel_plan.hpp"
#include "electrostatics/simd/grid_kernels.hpp"
#include "parallel/progress.hpp"

namespace ionwell {

/// Planes [first, last) of a grid, across z.
struct PlaneRange {
  std::int64_t first, last;
};

/// The long-range potential of `charges` [kT/e] on `planes` of the plan's finest grid, but for the plan's
/// constant: anterpolation, restriction, the levels' own sums, prolongation. i fastest, other planes with no
/// values; 8 unused ones after the end. A plane's values do not depend on which others are wanted.
LargeArray<float> long_range_grid(const MultilevelPlan& plan, std::span<const PointCharge> charges,
                                  PlaneRange planes, const GridKernels& kernels, int threads,
                                  const Progress& progress);

}  // namespace ionwell
