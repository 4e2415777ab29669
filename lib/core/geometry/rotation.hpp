// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/vec3.hpp"

namespace ionwell {

/// A rotation: row i is the direction that becomes axis i.
struct Rotation {
  Vec3<double> x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};

  Vec3<double> operator()(const Vec3<double>& p) const { return {dot(x, p), dot(y, p), dot(z, p)}; }

  Vec3<double> inverse(const Vec3<double>& p) const { return p.x * x + p.y * y + p.z * z; }
};

}  // namespace ionwell
