// SPDX-License-Identifier: BSD-3-Clause
#include "placement/at_points/open_action.hpp"

#include "electrostatics/open_sum.hpp"

namespace ionwell {

OpenAction::OpenAction(const PairPotential& pair, SimdLevel simd)
    : pair_(pair), simd_(simd), kernels_(group_kernels(simd)) {}

double OpenAction::at(const Vec3<double>& difference_A) const {
  return pair_.at(dot(difference_A, difference_A));
}

double OpenAction::add(std::span<const PointCharge> charges, const GroupValues& group) const {
  const Vec3<double> centre_A = group.groups.ball(group.number).centre_A;
  GroupSum sum(kernels_, pair_, group);
  for (const PointCharge& charge : charges)
    sum.add({.charge_e = charge.charge_e, .from_A = centre_A - charge.position_A});
  return sum.finish();
}

std::vector<double> OpenAction::sum(std::span<const PointCharge> charges,
                                    std::span<const Vec3<double>> points_A, int threads) const {
  return open_potential(pair_, charges, points_A, {.threads = threads, .simd = simd_}, {});
}

}  // namespace ionwell
