// SPDX-License-Identifier: BSD-3-Clause
#include "placement/at_points/periodic_action.hpp"

#include <cmath>
#include <limits>

#include "electrostatics/periodic/periodic_sum.hpp"
#include "placement/at_points/group_sum.hpp"

namespace ionwell {

PeriodicAction::PeriodicAction(const PeriodicCell& cell, const PairPotential& pair,
                               const PeriodicPairOptions& options)
    : pair_(cell, pair, options), simd_(options.simd), kernels_(group_kernels(options.simd)) {
  if (ImagePolynomials::suit(cell, largest_group_radius_A))
    images_.emplace(pair_, largest_group_radius_A, options.threads);
}

double PeriodicAction::add(std::span<const PointCharge> charges, const GroupValues& group) const {
  const Vec3<double> centre_A = group.groups.ball(group.number).centre_A;
  if (images_) {
    double of_images_kT_e = 0.0;
    GroupSum sum(kernels_, pair_.pair(), group);
    for (const PointCharge& charge : charges) {
      const ImagePolynomials::Ball ball = images_->around(centre_A - charge.position_A);
      of_images_kT_e += std::abs(charge.charge_e) * ball.node.error_kT_e;
      sum.add({.charge_e = charge.charge_e,
               .from_A = ball.difference_A,
               .from_node_A = ball.from_node_A,
               .coefficients = ball.coefficients});
    }
    return of_images_kT_e + sum.finish();
  }
  const std::span<const std::uint32_t> points = group.groups.points(group.number);
  for (std::size_t p = 0; p < points.size(); ++p)
    for (const PointCharge& charge : charges)
      group.values_kT_e[p] += charge.charge_e * pair_.at(group.positions_A[points[p]] - charge.position_A);
  return 0.0;
}

LinearPotential PeriodicAction::linear(const Vec3<double>& from_A, double radius_A) const {
  if (!images_) return {.rest_kT_e = std::numeric_limits<double>::infinity()};
  const ImagePolynomials::Ball ball = images_->around(from_A);
  const ImagePolynomials::Linear images = ImagePolynomials::linear(ball, radius_A);
  const LinearPotential pair = linear_pair(pair_.pair(), ball.difference_A, radius_A);
  return {pair.value_kT_e + images.value_kT_e, pair.slope_kT_e_A + images.slope_kT_e_A,
          pair.rest_kT_e + images.rest_kT_e};
}

std::vector<double> PeriodicAction::sum(std::span<const PointCharge> charges,
                                        std::span<const Vec3<double>> points_A, int threads) const {
  return periodic_potential(pair_.cell(), pair_.pair(), charges, points_A,
                            {.threads = threads, .simd = simd_});
}

}  // namespace ionwell
