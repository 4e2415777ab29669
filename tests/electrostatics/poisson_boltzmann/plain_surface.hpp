// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "core/vec3.hpp"
#include "electrostatics/poisson_boltzmann/model/ball.hpp"

namespace ionwell::test {

/// Where the centre of a probe can be, in fp64 and by all pairs and triples of balls: the reference for
/// surfaces.
class PlainProbe {
 public:
  /// `balls` are those of the atoms.
  PlainProbe(std::span<const Ball> balls, double probe_A);

  /// Distance [A] to the nearest place where a probe's centre can be, less the probe's radius: positive
  /// inside the solvent-excluded surface. Outside of all places that are too near to an atom it is at most
  /// -probe_A.
  double distance_A(const Vec3<double>& point_A) const;

 private:
  bool is_open(const Vec3<double>& centre_A) const;

  std::vector<Ball> balls_;  // larger by the probe
  double probe_A_;
  std::vector<Vec3<double>> corners_A_;  // where three spheres meet, and no fourth covers
};

/// Balls in a heap: `count` in a cube of `edge_A`, of radii 0.6 to 2 A; always the same.
std::vector<Ball> heap_of_balls(int count, double edge_A, unsigned seed);

}  // namespace ionwell::test
