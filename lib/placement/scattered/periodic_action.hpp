#pragma once

#include "electrostatics/periodic/periodic_pair_bounds.hpp"
#include "placement/scattered/ion_action.hpp"

namespace ionwell {

/// A charge with all its images, and the background that makes them neutral.
class PeriodicAction final : public IonAction {
 public:
  PeriodicAction(const PeriodicCell& cell, const PairPotential& pair, const PeriodicPairOptions& options)
      : pair_(cell, pair, options), bounds_(pair_, options.threads) {}

  double at(const Vec3<double>& difference_A) const override { return pair_.at(difference_A); }

  Range over_ball(const Vec3<double>& difference_A, double radius_A) const override {
    const PeriodicPairBounds::Range range = bounds_.within(difference_A, radius_A);
    return {range.lowest_kT_e, range.highest_kT_e};
  }

  Vec3<double> shortest(const Vec3<double>& difference_A) const override {
    return pair_.cell().shortest(difference_A);
  }

 private:
  PeriodicPair pair_;
  PeriodicPairBounds bounds_;
};

}  // namespace ionwell
