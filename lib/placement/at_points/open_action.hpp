// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <limits>

#include "electrostatics/pair_potential.hpp"
#include "electrostatics/simd/simd_level.hpp"
#include "placement/at_points/group_sum.hpp"
#include "placement/at_points/ion_action.hpp"

namespace ionwell {

/// A charge alone in space.
class OpenAction final : public IonAction {
 public:
  explicit OpenAction(const PairPotential& pair, SimdLevel simd = SimdLevel::automatic);

  double at(const Vec3<double>& difference_A) const override;
  Vec3<double> shortest(const Vec3<double>& difference_A) const override { return difference_A; }
  double unique_A() const override { return std::numeric_limits<double>::infinity(); }
  double add(std::span<const PointCharge> charges, const GroupValues& group) const override;
  LinearPotential linear(const Vec3<double>& from_A, double radius_A) const override {
    return linear_pair(pair_, from_A, radius_A);
  }
  std::vector<double> sum(std::span<const PointCharge> charges, std::span<const Vec3<double>> points_A,
                          int threads) const override;

 private:
  PairPotential pair_;
  SimdLevel simd_;
  const GroupKernels& kernels_;
};

}  // namespace ionwell
