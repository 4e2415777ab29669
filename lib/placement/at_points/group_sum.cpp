// SPDX-License-Identifier: BSD-3-Clause
#include "placement/at_points/group_sum.hpp"

#include <cmath>
#include <limits>

#include "electrostatics/periodic/image_nodes.hpp"
#include "electrostatics/simd/kernel_tables.hpp"

namespace ionwell {

IONWELL_KERNEL_TABLES(GroupKernels, group_kernels)

static_assert(polynomial_degree == ImageNodes::degree);

void GroupSum::add(const ChargeFromGroup& charge) {
  const PointGroups::Ball& ball = group_.groups.ball(group_.number);
  const double distance_A = std::sqrt(dot(charge.from_A, charge.from_A));
  constexpr double far_in_radii = 3.0, far_A = 1.0;  // of a group of one point
  if (distance_A < far_in_radii * ball.radius_A + far_A) return add_near(charge);
  const auto [x, y, z] = charge.from_A;
  const auto [u, v, w] = charge.from_node_A;
  far_[waiting_++] = {.charge_e = charge.charge_e,
                      .from_A = {float(x), float(y), float(z)},
                      .from_node_A = {float(u), float(v), float(w)},
                      .coefficients = charge.coefficients};
  const double nearest_A = distance_A - ball.radius_A;
  error_kT_e_ +=
      std::abs(charge.charge_e) * rounding_of_far_pair(pair_, nearest_A) * pair_.derivatives(nearest_A).value;
  if (waiting_ == at_once) finish();
}

void GroupSum::add_near(const ChargeFromGroup& charge) {
  const Vec3<double> centre_A = group_.groups.ball(group_.number).centre_A;
  const std::span<const std::uint32_t> points = group_.groups.points(group_.number);
  for (std::size_t p = 0; p < points.size(); ++p) {
    const Vec3<double> place_A = group_.positions_A[points[p]] - centre_A, d_A = charge.from_A + place_A;
    double value = pair_.at(dot(d_A, d_A));
    if (charge.coefficients != nullptr)
      value += ImageNodes::polynomial(charge.coefficients, charge.from_node_A + place_A);
    group_.values_kT_e[p] += charge.charge_e * value;
  }
}

double GroupSum::finish() {
  kernels_.add(far_, waiting_, pair_, group_.groups.places_A(group_.number), group_.values_kT_e);
  waiting_ = 0;
  return error_kT_e_;
}

LinearPotential linear_pair(const PairPotential& pair, const Vec3<double>& from_A, double radius_A) {
  const double distance_A = std::sqrt(dot(from_A, from_A)), nearest_A = distance_A - radius_A;
  if (nearest_A < smallest_distance_A) return {.rest_kT_e = std::numeric_limits<double>::infinity()};
  const PairPotential::Derivatives centre = pair.derivatives(distance_A),
                                   nearest = pair.derivatives(nearest_A);
  return {
      centre.value, centre.slope / distance_A * from_A,
      0.5 * nearest.curvature * radius_A * radius_A + rounding_of_far_pair(pair, nearest_A) * nearest.value};
}

}  // namespace ionwell
