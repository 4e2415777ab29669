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
    if (lowest > highest) return lowest;
    return charge_e > 0.0 ? charge_e * lowest : charge_e * highest;
  }

  IONWELL_HD void include(const Bounds& other) {
    lowest = other.lowest < lowest ? other.lowest : lowest;
    highest = other.highest > highest ? other.highest : highest;
  }

  /// Widens by what an ion adds to a block whose points are all within `range` of it; the potential of a unit
  /// charge falls with distance. Rounded outwards.
  IONWELL_HD void add_ion(double charge_e, const DistanceRange& range, const PairPotential& pair) {
    constexpr double outwards = 1e-12;
    const double weak = charge_e * pair.at(range.farthest_A * range.farthest_A);
    const double strong = charge_e * pair.at(range.nearest_A * range.nearest_A);
    lowest += charge_e > 0.0 ? weak : strong;
    highest += charge_e > 0.0 ? strong : weak;
    lowest -= outwards * std::abs(lowest);
    highest += outwards * std::abs(highest);
  }
};

}  // namespace ionwell
