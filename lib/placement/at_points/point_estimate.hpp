// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <vector>

#include "core/host_device.hpp"
#include "electrostatics/pair_potential.hpp"
#include "electrostatics/periodic/image_nodes.hpp"

namespace ionwell {

class ImagePolynomials;

/// What ImagePolynomials have for a node, as devices read it.
struct alignas(16) ImageRow {
  float coefficients[ImageNodes::terms];
  float error_kT_e;
};

/// By node.
std::vector<ImageRow> image_rows(const ImagePolynomials& images);

/// ImagePolynomials with the rows where they are used; null where space does not repeat.
struct PeriodicImages {
  ImageNodes nodes;
  const ImageRow* rows = nullptr;
};

/// A potential and a bound on what it is off by [kT/e].
struct PointEstimate {
  double value_kT_e = 0.0;
  double error_kT_e = 0.0;

  /// A unit charge at `difference_A` from the point, with its images.
  IONWELL_HD static PointEstimate of_unit(const PairPotential& pair, const PeriodicImages& images,
                                          const Vec3<double>& difference_A) {
    if (images.rows == nullptr) return {pair.at(dot(difference_A, difference_A)), 0.0};
    const ImageNodes::Place place = images.nodes.around(difference_A);
    const ImageRow row = images.rows[place.node];
    const auto [x, y, z] = place.from_node_A;
    const float of_images =
        ImageNodes::polynomial(row.coefficients, Vec3<float>{float(x), float(y), float(z)});
    return {pair.at(dot(place.difference_A, place.difference_A)) + double(of_images), double(row.error_kT_e)};
  }

  IONWELL_HD void add(double charge_e, const PointEstimate& unit) {
    // Of a term, of its addition, and of the addition to the sum that this stands for.
    constexpr double rounding = 0x1p-49;
    const double term_kT_e = charge_e * unit.value_kT_e;
    error_kT_e +=
        std::abs(charge_e) * unit.error_kT_e + rounding * (std::abs(value_kT_e) + std::abs(term_kT_e));
    value_kT_e += term_kT_e;
  }

  /// Between which the energy of a charge there is.
  IONWELL_HD double least_kT(double charge_e) const {
    return charge_e * value_kT_e - std::abs(charge_e) * error_kT_e;
  }
  IONWELL_HD double most_kT(double charge_e) const {
    return charge_e * value_kT_e + std::abs(charge_e) * error_kT_e;
  }
};

}  // namespace ionwell
