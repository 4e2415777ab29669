// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/vec3.hpp"
#include "electrostatics/at_points/simd/batch_kernels.hpp"

namespace ionwell {

/// Scattered points in batches of up to batch_points neighbours, so that what is near to one of them, and
/// what is far, has to be found once for all.
class TargetBatches {
 public:
  /// No batch reaches farther from its centre, or than was requested: what is near to it is near to its
  /// points.
  static constexpr double largest_radius_A = 12.0;

  /// O(points log points). Up to 2^32 points. With a radius of 0 each place is a batch of its own.
  TargetBatches(std::span<const Vec3<double>> points_A, int threads, double most_radius_A = largest_radius_A);

  std::size_t size() const { return batches_.size(); }

  struct Batch {
    std::size_t first;
    int count;
    Vec3<double> centre_A;
    double radius_A;
  };
  const Batch& operator[](std::size_t number) const { return batches_[number]; }

  /// Numbers of a batch's points.
  std::span<const std::uint32_t> points(const Batch& batch) const {
    return {&order_[batch.first], std::size_t(batch.count)};
  }

 private:
  std::vector<std::uint32_t> order_;
  std::vector<Batch> batches_;
};

/// The points of a batch as the kernels take them.
struct BatchPlaces {
  alignas(64) float points_A[3 * batch_points];
  int places;

  BatchPlaces(std::span<const Vec3<double>> points_A, const TargetBatches& batches,
              const TargetBatches::Batch& batch);
};

}  // namespace ionwell
