// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/block.hpp"
#include "core/cell_list.hpp"
#include "electrostatics/charge_table.hpp"
#include "electrostatics/multilevel/axis_weights.hpp"
#include "electrostatics/multilevel/multilevel_grid.hpp"

namespace ionwell {

/// A multilevel sum, made for one set of charges and then added to the lattice block by block.
class MultilevelEvaluator {
 public:
  /// Computes the long-range grid. With `short_range` false only points farther than the cutoff from every
  /// charge come out right, which is all that a placement needs when ions stay farther away than that.
  MultilevelEvaluator(const BlockGrid& grid, const MultilevelPlan& plan, std::span<const PointCharge> charges,
                      bool short_range, SimdLevel simd, int threads, const Progress& progress);

  /// values[p] += potential, for the points of a block. May be called from several threads.
  void add_to(std::int64_t block, float* values) const;

 private:
  void add_near_charges(std::int64_t block, float* values) const;

  const BlockGrid& blocks_;
  const MultilevelPlan& plan_;
  const GridKernels& kernels_;
  std::vector<AxisWeights> x_, y_, z_;
  LargeArray<float> long_range_;
  double constant_kT_e_ = 0.0;
  /// Charges, one array per member.
  struct Columns {
    std::vector<double> x_A, y_A, z_A, charge_e;

    void resize(std::size_t size);
  };

  std::unique_ptr<CellList> cells_;  // for the short-range part; null without
  Columns sorted_;                   // by cell
};

}  // namespace ionwell
