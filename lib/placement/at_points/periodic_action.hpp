// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "electrostatics/periodic/image_polynomials.hpp"
#include "electrostatics/periodic/periodic_pair.hpp"
#include "placement/at_points/ion_action.hpp"

namespace ionwell {

/// A charge with all its images, and the background that makes them neutral.
class PeriodicAction final : public IonAction {
 public:
  PeriodicAction(const PeriodicCell& cell, const PairPotential& pair, const PeriodicPairOptions& options);

  double at(const Vec3<double>& difference_A) const override { return pair_.at(difference_A); }
  Vec3<double> shortest(const Vec3<double>& difference_A) const override {
    return pair_.cell().shortest(difference_A);
  }
  double unique_A() const override { return pair_.cell().inscribed_radius_A(); }
  bool is_surely_longer(const Vec3<double>& difference_A, double distance_A) const override {
    return pair_.cell().is_surely_longer(difference_A, distance_A);
  }
  double add(std::span<const PointCharge> charges, const GroupValues& group) const override;
  LinearPotential linear(const Vec3<double>& from_A, double radius_A) const override;
  std::vector<double> sum(std::span<const PointCharge> charges, std::span<const Vec3<double>> points_A,
                          int threads) const override;

  const PairPotential& pair() const { return pair_.pair(); }

  /// Null in a cell so small that single sums are quick.
  const ImagePolynomials* images() const { return images_ ? &*images_ : nullptr; }

 private:
  PeriodicPair pair_;
  SimdLevel simd_;
  const GroupKernels& kernels_;
  std::optional<ImagePolynomials> images_;
};

}  // namespace ionwell
