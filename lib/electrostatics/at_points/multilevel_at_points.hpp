// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/cell_list.hpp"
#include "core/large_array.hpp"
#include "core/structure.hpp"
#include "electrostatics/at_points/target_batches.hpp"
#include "electrostatics/multilevel/multilevel_plan.hpp"
#include "parallel/progress.hpp"

namespace ionwell {

/// The lattice that a multilevel plan needs so that its finest grid covers points: from the lowest to the
/// highest coordinates of all.
LatticeGeometry lattice_around(std::span<const Vec3<double>> points_A, double spacing_A);

/// Multilevel summation, made for one set of charges, then evaluated at scattered points: the long-range grid
/// is interpolated there, what is within the cutoff summed pair by pair.
class MultilevelAtPoints {
 public:
  /// Computes the long-range grid around all charges and points. Throws what multilevel_plan throws.
  MultilevelAtPoints(std::span<const PointCharge> charges, std::span<const Vec3<double>> points_A,
                     const PairPotential& pair, const MultilevelOptions& options, SimdLevel simd, int threads,
                     const Progress& progress);

  /// values[n] = potential [kT/e] at point n. The points must be among those of the constructor. `done`: so
  /// many batches have their values already; it is up to date whenever `progress` is called.
  void potential(std::span<const Vec3<double>> points_A, const TargetBatches& batches, int threads,
                 std::span<double> values_kT_e, const Progress& progress, std::size_t* done = nullptr) const;

 private:
  void add_near(const TargetBatches::Batch& batch, const BatchPlaces& places, double* sums_kT_e) const;
  double long_range_kT_e(const Vec3<double>& position_A) const;

  MultilevelPlan plan_;
  const BatchKernels& kernels_;
  LargeArray<float> long_range_;
  double constant_kT_e_ = 0.0;
  CellList cells_;
  std::vector<PointCharge> sorted_;  // by cell
};

}  // namespace ionwell
