// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <span>

#include "electrostatics/at_points/point_sum.hpp"

namespace ionwell {

/// What the methods take at scattered points, by what they took where they were measured (AMD EPYC with
/// AVX-512, two threads, `ionwell-bench points`). Only their order matters.
class PointSumCosts {
 public:
  PointSumCosts(std::span<const PointCharge> charges, std::span<const Vec3<double>> points_A,
                const PointSumOptions& options);

  /// Every pair in fp64, and with terms in fp32.
  double exact_s() const;
  double direct_s() const;

  /// Infinite without `options`.
  double partition_s(const std::optional<ChargePartition>& partition, const TargetBatches& batches,
                     const std::optional<PartitionOptions>& options) const;

  /// Infinite when there is not the memory, or the grid would be no grid.
  double multilevel_s(const MultilevelOptions& set) const;

  /// Throws Error when there is not the memory.
  void require_multilevel_memory(const MultilevelOptions& set) const;

 private:
  std::span<const PointCharge> charges_;
  std::span<const Vec3<double>> points_A_;
  double workers_;  // threads of the machine of the measurement
};

}  // namespace ionwell
