// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "core/periodic_cell.hpp"
#include "electrostatics/pair_potential.hpp"

namespace ionwell {

/// Bound on what a Taylor polynomial leaves of the potential of all images of a unit charge but the one at 0,
/// with its background, in a ball: sums over images at distance s of tails of the series along a line. With
/// t the ball's radius, x = t / s and p the degree, they are at most
///   coulomb             1/s   Sum_(n > p) x^n            (|P_n| <= 1: Legendre's series of 1 / |s - u|)
///   debye_hueckel       1/s   Sum_(n > p) x^n Q_n        (Q_n: chance of n or fewer with mean kappa s)
///   distance_dependent  1/s^2 Sum_(n > p) (n + 1) x^n    (|U_n| <= n + 1, Chebyshev's second kind)
/// Of exp(-kappa |s - u|) / |s - u| every Legendre series has no negative coefficient, so that it is largest
/// straight towards the image, where it is a product of two known series. The background and the sum's mean
/// are polynomials of second degree at most.
class ImageTail {
 public:
  /// For balls of `radius_A` and polynomials whose `degree` is at least 3. O(images that are near).
  ImageTail(const PeriodicCell& cell, const PairPotential& pair, int degree, double radius_A);

  /// With the pair's prefactor [kT/e], for the ball around a difference that lies in the
  /// parallelepiped of the reduced cell around 0. Infinite when another image is in the ball. O(images that
  /// are near).
  double around(const Vec3<double>& centre_A) const;

 private:
  double of_image(double distance_A) const;

  PairPotential pair_;
  int degree_;
  double radius_A_;
  std::vector<Vec3<double>> near_A_;  // images whose distances are taken from each centre
  double of_others_ = 0.0;            // of all images farther away, from anywhere in the cell; prefactor 1
};

}  // namespace ionwell
