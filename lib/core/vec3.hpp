// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/host_device.hpp"

namespace ionwell {

/// Three numbers by axis: a position, an extent, a spacing.
template <typename Real>
struct Vec3 {
  Real x{}, y{}, z{};

  friend IONWELL_HD constexpr Vec3 operator+(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend IONWELL_HD constexpr Vec3 operator-(Vec3 a, Vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend IONWELL_HD constexpr Vec3 operator*(Real s, Vec3 a) { return {s * a.x, s * a.y, s * a.z}; }
  friend constexpr bool operator==(const Vec3&, const Vec3&) = default;
};

template <typename Real>
IONWELL_HD constexpr Real dot(Vec3<Real> a, Vec3<Real> b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

template <typename Real>
IONWELL_HD constexpr Real distance_squared(Vec3<Real> a, Vec3<Real> b) {
  return dot(a - b, a - b);
}

}  // namespace ionwell
