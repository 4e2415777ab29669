// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>

#include "core/vec3.hpp"

namespace ionwell {

/// The share of a box around the origin that lies at dot(normal, position) <= level. `normal` is a unit
/// vector, its parts already multiplied by the box's edges. Inclusion and exclusion of the corners
/// (Scardovelli and Zaleski, J. Comput. Phys. 164:228, 2000).
IONWELL_HD inline double half_space_share(double level, const Vec3<double>& normal) {
  const double a = std::fabs(normal.x), b = std::fabs(normal.y), c = std::fabs(normal.z);
  const double least = 1e-4 * (a + b + c);  // so that the product below is no 0; changes the share by less
  const double x = a > least ? a : least, y = b > least ? b : least, z = c > least ? c : least;
  const double sum = x + y + z, depth = level + 0.5 * sum;
  if (!(depth > 0.0)) return 0.0;
  if (depth >= sum) return 1.0;
  const auto cube = [](double v) { return v > 0.0 ? v * v * v : 0.0; };
  const double share = (cube(depth) - cube(depth - x) - cube(depth - y) - cube(depth - z) +
                        cube(depth - x - y) + cube(depth - x - z) + cube(depth - y - z)) /
                       (6.0 * x * y * z);
  return share < 1.0 ? (share > 0.0 ? share : 0.0) : 1.0;  // rounding may take it beyond
}

}  // namespace ionwell
