// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "core/error.hpp"
#include "core/structure.hpp"

/// Atoms as a surface sees them.
namespace ionwell {

struct Ball {
  Vec3<double> centre_A;
  double radius_A = 0.0;
};

/// Whether a number can be a radius.
inline bool is_radius(double radius_A) {
  return radius_A >= 0.0 && std::isfinite(radius_A);
}

/// Whether an atom has a radius. Throws Error for one that is negative or no number.
inline bool is_ball(const Atom& atom) {
  if (!is_radius(atom.radius_A))
    fail("the radius of ", describe(atom), " is ", atom.radius_A,
         " A, but the Poisson-Boltzmann equation needs radii that are not negative; correct the "
         "structure's file");
  return atom.radius_A > 0.0;
}

/// One ball for each atom that has a radius, larger by `added_A`: an atom of radius 0 has no surface. Throws
/// Error for a radius that is negative or not finite.
inline std::vector<Ball> balls_of(std::span<const Atom> atoms, double added_A) {
  std::vector<Ball> balls;
  balls.reserve(atoms.size());
  for (const Atom& atom : atoms)
    if (is_ball(atom)) balls.push_back({atom.position_A, atom.radius_A + added_A});
  return balls;
}

/// Those of the balls with their centres within `distance_A` of a box, in their order.
inline std::vector<Ball> balls_near(std::vector<Ball> balls, const Box& box, double distance_A) {
  std::erase_if(balls, [&](const Ball& ball) {
    return !(distance_squared(ball.centre_A, nearest_in(box, ball.centre_A)) <= distance_A * distance_A);
  });
  return balls;
}

/// The largest radius [A], 0 of none.
inline double largest_radius_A(std::span<const Ball> balls) {
  double largest_A = 0.0;
  for (const Ball& ball : balls) largest_A = std::max(largest_A, ball.radius_A);
  return largest_A;
}

/// The centres, to find balls by.
inline std::vector<Vec3<double>> centres_of(std::span<const Ball> balls) {
  std::vector<Vec3<double>> centres;
  centres.reserve(balls.size());
  for (const Ball& ball : balls) centres.push_back(ball.centre_A);
  return centres;
}

}  // namespace ionwell
