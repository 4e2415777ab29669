// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "core/box.hpp"
#include "core/cell_list.hpp"
#include "electrostatics/poisson_boltzmann/model/accessible_terms.hpp"
#include "electrostatics/poisson_boltzmann/model/ball.hpp"

/// The surface of a union of balls, in parts: where the centre of a probe can be that touches the solute,
/// when the balls are atoms that have been made larger by the probe's radius (Lee and Richards, J. Mol. Biol.
/// 55:379, 1971).
namespace ionwell {

/// A sphere of which some part is on the surface.
struct AccessiblePatch {
  Vec3<double> centre_A;
  double radius_A = 0.0;
  std::size_t first_cap = 0, last_cap = 0;  // what other spheres cover; all is open when there are none
  std::uint32_t ball = 0;                   // whose sphere it is
};

/// The part of the circle where two spheres meet that no third covers.
struct AccessibleArc {
  Vec3<double> centre_A;
  Vec3<float> axis, middle;     // as in LocalArc
  Vec3<float> first_A, last_A;  // ends, from the centre
  float radius_A = 0.0f, cos_half = -2.0f;

  /// As seen from `origin_A`.
  IONWELL_HD LocalArc local(const Vec3<double>& origin_A) const {
    const Vec3<float> centre = as_fp32(centre_A - origin_A);
    return {centre, axis, middle, centre + first_A, centre + last_A, radius_A, cos_half};
  }

  /// A ball around the arc.
  IONWELL_HD Ball around() const {
    if (cos_half <= 0.0f) return {centre_A, radius_A};
    const double along = double(radius_A) * double(cos_half),
                 left = double(radius_A) * radius_A - along * along;
    const Vec3<double> m{middle.x, middle.y, middle.z};
    return {centre_A + along * m, std::sqrt(left > 0.0 ? left : 0.0)};
  }
};

struct AccessibleSurface {
  std::vector<AccessiblePatch> patches;
  std::vector<SphereCap> caps;
  std::vector<AccessibleArc> arcs;
};

/// The parts of the surface of `balls` that lie within `reach_A` of `near`, and some others. `list` holds the
/// balls' centres. Where three spheres meet, an arc ends: such points need no list of their own. Each circle
/// is cut by all spheres that reach it, with angles in fp64; a ball inside another one has no part. The same
/// for any number of threads. O(balls near, times the square of each one's neighbours).
AccessibleSurface accessible_surface(std::span<const Ball> balls, const CellList& list, const Box& near,
                                     double reach_A, int threads);

}  // namespace ionwell
