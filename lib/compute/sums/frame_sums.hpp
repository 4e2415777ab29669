// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compute/plan.hpp"
#include "core/boundary.hpp"
#include "core/large_array.hpp"
#include "core/periodic_cell.hpp"

namespace ionwell {

/// How the potential of frames is summed.
struct FrameSumOptions {
  Boundary boundary = Boundary::open;
  std::optional<double> ewald_factor_per_A;  // see AverageJob
  FieldOptions field;                        // every_point
};

/// What reports call a periodic sum, whole or smooth.
std::string periodic_method(const std::optional<double>& ewald_factor_per_A);

/// The potential of the charges of one frame or of several on the lattice of a plan. A sum is linear in its
/// charges, so that those of several frames put together give the sum of their maps, and what a sum takes for
/// each lattice point it takes once.
class FrameSums {
 public:
  FrameSums(const Plan& plan, const FrameSumOptions& options) : plan_(plan), options_(options) {}

  /// Relative to the largest potential on the lattice, of a periodic sum: as exact as the lattice's numbers
  /// in single precision.
  static constexpr double periodic_tolerance = 1e-7;

  /// One value [kT/e] for each lattice point, i fastest, until the next call. `cell` is that of the charges,
  /// which periodic boundaries need. Throws what a field throws, and what `progress` does.
  std::span<float> of(std::span<const PointCharge> charges, const std::optional<CellVectors>& cell,
                      const Progress& progress);

  /// Of the devices, so far.
  const DeviceUse& device_use() const { return device_use_; }

 private:
  void sum_open(std::span<const PointCharge> charges, const Progress& progress);
  void sum_periodic(std::span<const PointCharge> charges, const CellVectors& cell, const Progress& progress);

  const Plan& plan_;
  FrameSumOptions options_;
  LargeArray<float> values_;
  std::vector<Vec3<double>> points_A_;  // of the lattice, for periodic sums
  DeviceUse device_use_;
};

}  // namespace ionwell
