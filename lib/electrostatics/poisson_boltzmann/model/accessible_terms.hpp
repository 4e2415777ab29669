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

}  // namespace ionwell
