// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/geometry/rotation.hpp"

namespace ionwell {

/// A rotation as a unit quaternion.
struct Quaternion {
  double w = 1.0, x = 0.0, y = 0.0, z = 0.0;
};

Rotation rotation_of(const Quaternion& q);

/// First `b`, then `a`; of length 1 whatever rounding did to them.
Quaternion product(const Quaternion& a, const Quaternion& b);

/// Number `n` of `count` rotations that are spread evenly over all: super-Fibonacci spirals (Alexa, CVPR
/// 2022).
Quaternion spread_rotation(int n, int count);

}  // namespace ionwell
