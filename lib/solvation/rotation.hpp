#pragma once

#include "core/vec3.hpp"

namespace ionwell {

/// A rotation: row i is the direction that becomes axis i.
struct Rotation {
  Vec3<double> x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};

  Vec3<double> operator()(const Vec3<double>& p) const { return {dot(x, p), dot(y, p), dot(z, p)}; }

  Vec3<double> inverse(const Vec3<double>& p) const { return p.x * x + p.y * y + p.z * z; }
};

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
