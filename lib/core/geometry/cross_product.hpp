// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/vec3.hpp"

namespace ionwell {

/// The vector product of u and v.
IONWELL_HD constexpr Vec3<double> cross(const Vec3<double>& u, const Vec3<double>& v) {
  return {u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
}

}  // namespace ionwell
