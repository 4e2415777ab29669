// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "core/error.hpp"
#include "electrostatics/periodic/image_polynomials.hpp"
#include "placement/at_points/point_estimate.hpp"
#include "placement/at_points/point_estimates.hpp"

namespace ionwell::test {

/// What a device does, point by point on the host.
class PlainEstimates final : public PointEstimates {
 public:
  /// `images` may be null. Fails in place of the search that follows `searches` others.
  PlainEstimates(const PairPotential& pair, const ImagePolynomials* images, const EstimatedPoints& points,
                 int searches)
      : pair_(pair),
        positions_A_(points.positions_A.begin(), points.positions_A.end()),
        estimates_(points.positions_A.size()),
        searches_left_(searches) {
    if (images != nullptr) {
      rows_ = image_rows(*images);
      images_ = {images->nodes(), rows_.data()};
    }
    for (std::size_t n = 0; n < estimates_.size(); ++n)
      estimates_[n].value_kT_e = points.available[n] ? points.potential_kT_e[n] : not_available;
  }

  void add(std::span<const PointCharge> charges) override {
    for (std::size_t n = 0; n < estimates_.size(); ++n)
      for (const auto& [position_A, charge_e] : charges)
        estimates_[n].add(charge_e, PointEstimate::of_unit(pair_, images_, positions_A_[n] - position_A));
  }

  void take_away(std::uint32_t point) override { estimates_[point].value_kT_e = not_available; }

  std::vector<Candidate> candidates(double charge_e, double tie_kT) override {
    if (searches_left_-- == 0) fail("the stand-in is gone");
    double up_to_kT = std::numeric_limits<double>::infinity();
    for (const PointEstimate& estimate : estimates_)
      if (estimate.most_kT(charge_e) < up_to_kT) up_to_kT = estimate.most_kT(charge_e);
    std::vector<Candidate> found;
    for (std::size_t n = 0; n < estimates_.size(); ++n)
      if (const double least_kT = estimates_[n].least_kT(charge_e); least_kT <= up_to_kT + tie_kT)
        found.push_back({least_kT, std::uint32_t(n)});
    sort(found);
    return found;
  }

 private:
  static constexpr double not_available = std::numeric_limits<double>::quiet_NaN();

  PairPotential pair_;
  std::vector<Vec3<double>> positions_A_;
  std::vector<PointEstimate> estimates_;
  std::vector<ImageRow> rows_;
  PeriodicImages images_;
  int searches_left_;
};

}  // namespace ionwell::test
