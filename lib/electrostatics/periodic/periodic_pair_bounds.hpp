#pragma once

#include <vector>

#include "electrostatics/periodic/periodic_pair.hpp"

namespace ionwell {

/// Lowest and highest potential of a PeriodicPair over balls of differences, for searches. What all images
/// but the nearest one do, psi(d) - f(|d|), is smooth and small: its range is known for each distance from
/// the nearest image, over all directions, and f falls. The range is that at the corners of small
/// parallelepipeds that fill the cell, and what a function of bounded second derivatives (hessian_bound) can
/// do between them: interpolation between corners is off by at most 1/8 of that bound times the sum of the
/// edges' squares.
class PeriodicPairBounds {
 public:
  /// Takes some 10 to 100 ms: a few times 10^5 potentials.
  explicit PeriodicPairBounds(const PeriodicPair& pair, int threads = 0);

  struct Range {
    double lowest_kT_e, highest_kT_e;
  };

  /// Bounds on psi(d) at all d within `radius_A` of a difference. Some 20 ns.
  Range within(const Vec3<double>& centre_A, double radius_A) const;

 private:
  PeriodicCell cell_;
  PairPotential pair_;
  double farthest_A_ = 0.0;  // from the nearest image
  double bins_per_A_ = 0.0;
  // Of 2^level bins of distance from bin n on: at [level][n].
  std::vector<std::vector<Range>> ranges_;
};

}  // namespace ionwell
