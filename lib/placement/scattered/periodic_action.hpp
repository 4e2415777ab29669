#pragma once

#include "electrostatics/periodic/periodic_pair.hpp"
#include "placement/scattered/ion_action.hpp"

namespace ionwell {

/// A charge with all its images, and the background that makes them neutral.
class PeriodicAction final : public IonAction {
 public:
  PeriodicAction(const PeriodicCell& cell, const PairPotential& pair) : cell_(cell), pair_(cell, pair) {}

  double at(const Vec3<double>& difference_A) const override { return pair_.at(difference_A); }

  Range over_ball(const Vec3<double>& difference_A, double radius_A) const override {
    const auto bounds = pair_.bounds(difference_A, radius_A);
    return {bounds.lowest, bounds.highest};
  }

  Vec3<double> shortest(const Vec3<double>& difference_A) const override {
    return cell_.shortest(difference_A);
  }

 private:
  PeriodicCell cell_;
  PeriodicPair pair_;
};

}  // namespace ionwell
