#pragma once

#include <cmath>

#include "core/vec3.hpp"

/// Distances to the parts of an accessible surface, for a point near it: the formulas that CPU and GPU share.
namespace ionwell {

/// What one sphere takes of another: all directions n from the other's centre with dot(axis, n) > cosine.
struct SphereCap {
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

/// Whether a direction [of any length `length`] from a sphere's centre leads to a point that no cap covers.
IONWELL_HD inline bool is_open(const Vec3<float>& direction, float length, const SphereCap* caps, int count) {
  for (int n = 0; n < count; ++n)
    if (dot(direction, caps[n].axis) > length * caps[n].cosine) return false;
  return true;
}

/// Squared distance [A^2] from a point to the nearest point of an arc, ends included.
IONWELL_HD inline float arc_distance2_A2(const LocalArc& arc, const Vec3<float>& point_A) {
  const Vec3<float> from = point_A - arc.centre_A;
  const float along = dot(from, arc.axis);
  const float across2 = dot(from, from) - along * along;
  const float across = std::sqrt(across2 > 0.0f ? across2 : 0.0f);
  // `middle` lies in the plane: the part of `from` along the axis adds nothing.
  if (dot(from, arc.middle) >= arc.cos_half * across) {
    const float radial = across - arc.radius_A;
    return along * along + radial * radial;
  }
  const float first2 = distance_squared(point_A, arc.first_A), last2 = distance_squared(point_A, arc.last_A);
  return first2 < last2 ? first2 : last2;
}

}  // namespace ionwell
