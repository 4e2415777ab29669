#pragma once

#include <cmath>
#include <limits>

#include "potential/block.hpp"
#include "potential/pair_potential.hpp"

namespace ionwell {

/// What is known of the exact potential at the available points of a block, or of a group of blocks:
/// lowest <= V <= highest [kT/e]. Nothing available: lowest > highest.
struct Bounds {
  double lowest = std::numeric_limits<double>::infinity();
  double highest = -std::numeric_limits<double>::infinity();

  /// No ion of this charge has a lower energy [kT] here.
  IONWELL_HD double energy_kT(double charge_e) const {
    if (empty()) return lowest;
    return charge_e > 0.0 ? charge_e * lowest : charge_e * highest;
  }

  IONWELL_HD bool empty() const { return lowest > highest; }

  IONWELL_HD void include(const Bounds& other) {
    lowest = other.lowest < lowest ? other.lowest : lowest;
    highest = other.highest > highest ? other.highest : highest;
  }

  /// Widens by what an ion adds to points that are all within `range` of it; the potential of a unit charge
  /// falls with distance.
  IONWELL_HD void add_ion(double charge_e, const DistanceRange& range, const PairPotential& pair) {
    const double weak = charge_e * pair.at(range.farthest_A * range.farthest_A);
    const double strong = charge_e * pair.at(range.nearest_A * range.nearest_A);
    lowest += charge_e > 0.0 ? weak : strong;
    highest += charge_e > 0.0 ? strong : weak;
    round_outwards();
  }

  IONWELL_HD void round_outwards() {
    constexpr double outwards = 1e-12;
    lowest -= outwards * std::abs(lowest);
    highest += outwards * std::abs(highest);
  }
};

/// What a block's values say: their range, and their range once a plane through the block's centre is taken
/// away.
struct TightBounds {
  Bounds range;
  Bounds above_plane;
  Vec3<double> slope_kT_eA;  // of that plane
};

/// What the ions that a block's values do not contain yet do to its bounds. Ions on opposite sides pull a
/// block's potential in opposite directions, so slopes are added up before they are bounded: V(x) = V(centre)
/// + slope (x - centre) + remainder, |remainder| <= curvature (x - centre)^2 / 2.
struct PendingIons {
  Bounds shift{0.0, 0.0};  // at the centre, and all of an ion that is too near for a slope
  Vec3<double> slope_kT_eA;
  double remainder_kT_e = 0.0;

  /// `clearance_A` is how near to the ion a point can still be available.
  IONWELL_HD void add(double charge_e, Vec3<double> position_A, double clearance_A, const Box& box,
                      const PairPotential& pair) {
    const Vec3<double> half = 0.5 * (box.highest_A - box.lowest_A);
    const Vec3<double> offset = 0.5 * (box.highest_A + box.lowest_A) - position_A;
    const double half2 = dot(half, half), half_A = std::sqrt(half2),
                 distance_A = std::sqrt(dot(offset, offset));
    if (distance_A < 2.0 * half_A) {
      DistanceRange range = distance_range(box, position_A);
      if (range.nearest_A < clearance_A) range.nearest_A = clearance_A;
      if (range.farthest_A < range.nearest_A) range.farthest_A = range.nearest_A;  // no point is left there
      shift.add_ion(charge_e, range, pair);
      return;
    }
    const double at_centre = charge_e * pair.at(distance_A * distance_A);
    shift.lowest += at_centre;
    shift.highest += at_centre;
    slope_kT_eA = slope_kT_eA + (charge_e * pair.derivatives(distance_A).slope / distance_A) * offset;
    remainder_kT_e += 0.5 * half2 * std::abs(charge_e) * pair.derivatives(distance_A - half_A).curvature;
  }

  /// Bounds with these ions of a block that had `tight` ones without them: the better of two, since the ions'
  /// slope may cancel the block's own.
  IONWELL_HD Bounds applied_to(const TightBounds& tight, const Box& box) const {
    const Vec3<double> half = 0.5 * (box.highest_A - box.lowest_A);
    const auto rise = [&](Vec3<double> slope) {
      return std::abs(slope.x) * half.x + std::abs(slope.y) * half.y + std::abs(slope.z) * half.z;
    };
    const double alone = rise(slope_kT_eA), together = rise(tight.slope_kT_eA + slope_kT_eA);
    const auto lower = [](double a, double b) { return a < b ? a : b; };
    Bounds bounds;
    bounds.lowest = shift.lowest - remainder_kT_e -
                    lower(alone - tight.range.lowest, together - tight.above_plane.lowest);
    bounds.highest = shift.highest + remainder_kT_e +
                     lower(alone + tight.range.highest, together + tight.above_plane.highest);
    bounds.round_outwards();
    return bounds;
  }
};

}  // namespace ionwell
