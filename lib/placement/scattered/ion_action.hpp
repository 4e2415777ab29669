#pragma once

#include "core/vec3.hpp"
#include "electrostatics/pair_potential.hpp"

namespace ionwell {

/// How a unit charge acts at a distance, with all its images where space repeats [kT/e].
class IonAction {
 public:
  virtual ~IonAction() = default;

  /// The potential at `difference_A` from it.
  virtual double at(const Vec3<double>& difference_A) const = 0;

  struct Range {
    double lowest, highest;
  };

  /// Bounds on `at` over all points within `radius_A` of `difference_A`.
  virtual Range over_ball(const Vec3<double>& difference_A, double radius_A) const = 0;

  /// The shortest of a difference's images: the difference itself where space does not repeat.
  virtual Vec3<double> shortest(const Vec3<double>& difference_A) const = 0;
};

/// A charge alone in space.
class OpenAction final : public IonAction {
 public:
  explicit OpenAction(const PairPotential& pair) : pair_(pair) {}

  double at(const Vec3<double>& difference_A) const override {
    return pair_.at(dot(difference_A, difference_A));
  }

  Range over_ball(const Vec3<double>& difference_A, double radius_A) const override {
    const double d = std::sqrt(dot(difference_A, difference_A)), nearest = d > radius_A ? d - radius_A : 0.0,
                 farthest = d + radius_A;
    return {pair_.at(farthest * farthest), pair_.at(nearest * nearest)};  // all of them fall with distance
  }

  Vec3<double> shortest(const Vec3<double>& difference_A) const override { return difference_A; }

 private:
  PairPotential pair_;
};

}  // namespace ionwell
