// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>

#include "core/geometry/cross_product.hpp"
#include "core/vec3.hpp"

/// Distances to the parts of an accessible surface, for a point near it: the formulas that CPU and GPU share.
namespace ionwell {

/// What one sphere takes of another: all directions n from the other's centre with dot(axis, n) > cosine.
struct alignas(16) SphereCap {
  Vec3<float> axis;  // unit
  float cosine = 0.0f;
};

/// The arc of a circle, as seen from an origin nearby: all points of the circle whose direction from its
/// centre is within the arc's half angle of `middle`.
struct LocalArc {
  Vec3<float> centre_A, axis, middle;  // two units; `axis` is normal to the circle's plane
  Vec3<float> first_A, last_A;         // ends
  float radius_A = 0.0f;
  float cos_half = -2.0f;  // of the half angle; -2 for a whole circle
};

/// Rounded to fp32.
IONWELL_HD inline Vec3<float> as_fp32(const Vec3<double>& v) {
  return {float(v.x), float(v.y), float(v.z)};
}

/// A unit vector that is normal to a unit vector.
IONWELL_HD inline Vec3<double> normal_to(const Vec3<double>& u) {
  const double x = std::fabs(u.x), y = std::fabs(u.y), z = std::fabs(u.z);
  const Vec3<double> least = x <= y && x <= z ? Vec3<double>{1, 0, 0}
                             : y <= z         ? Vec3<double>{0, 1, 0}
                                              : Vec3<double>{0, 0, 1};
  const Vec3<double> n = cross(u, least);
  return 1.0 / std::sqrt(dot(n, n)) * n;
}

/// The square root, on a GPU to 2^-23 of it: more than fp32 distances are good for.
IONWELL_HD inline float close_root(float x) {
#ifdef __CUDA_ARCH__
  float root;
  asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(x));
  return root;
#else
  return std::sqrt(x);
#endif
}

/// Squared distance from a point to an arc.
IONWELL_HD inline float arc_distance2(const LocalArc& arc, const Vec3<float>& at_A) {
  const Vec3<float> d = at_A - arc.centre_A, a = at_A - arc.first_A, b = at_A - arc.last_A;
  const float along = dot(d, arc.axis), across2 = dot(d, d) - along * along,
              across = close_root(across2 > 0.0f ? across2 : 0.0f), radial = across - arc.radius_A;
  // `middle` lies in the plane: the part of the way along the axis adds nothing.
  if (dot(d, arc.middle) >= arc.cos_half * across) return along * along + radial * radial;
  const float first2 = dot(a, a), last2 = dot(b, b);
  return first2 < last2 ? first2 : last2;
}

/// Whether a direction [of any length `length`] from a sphere's centre leads to a point that no cap covers.
IONWELL_HD inline bool is_open(const Vec3<float>& direction, float length, const SphereCap* caps, int count) {
  for (int n = 0; n < count; ++n)
    if (dot(direction, caps[n].axis) > length * caps[n].cosine) return false;
  return true;
}

}  // namespace ionwell
