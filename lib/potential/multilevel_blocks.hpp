#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "potential/availability.hpp"
#include "potential/axis_weights.hpp"
#include "potential/cell_list.hpp"
#include "potential/charge_table.hpp"
#include "potential/multilevel_grid.hpp"

namespace ionwell {

/// A multilevel sum, made for one set of charges and then added to the lattice block by block.
class MultilevelSum {
 public:
  /// Computes the long-range grid. With `short_range` false only points farther than the cutoff from every
  /// charge come out right, which is all that a placement needs when ions stay farther away than that.
  MultilevelSum(const BlockGrid& grid, const MultilevelPlan& plan, std::span<const PointCharge> charges,
                bool short_range, SimdLevel simd, const Progress& progress);

  /// values[p] += potential, for the points of a block. May be called from several threads.
  void add_to(std::int64_t block, float* values) const;

 private:
  void add_near_charges(std::int64_t block, float* values) const;

  const BlockGrid& blocks_;
  const MultilevelPlan& plan_;
  const BlockKernels& block_kernels_;
  const GridKernels& kernels_;
  LargeArray<float> long_range_;
  std::vector<AxisWeights> x_, y_, z_;
  double constant_kT_e_ = 0.0;
  std::vector<PointCharge> charges_;  // for the short-range part; empty without
  std::vector<Vec3<double>> positions_;
  std::unique_ptr<CellList> cells_;
};

}  // namespace ionwell
