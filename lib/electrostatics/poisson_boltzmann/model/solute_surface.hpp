// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>

#include "core/host_device.hpp"

namespace ionwell {

/// What bounds the solute's dielectric.
enum class SoluteSurface {
  van_der_waals,
  solvent_excluded,
  cubic_spline,    // smooth steps of these degrees around each atom (Im, Beglov, Roux,
  quintic_spline,  // Comput. Phys. Commun. 111:59, 1998, eq. 9, has the cubic one)
  septic_spline,
  gaussian,  // a Gaussian density for each atom (Li, Li, Zhang, Alexov, JCTC 9:2126, 2013)
};

/// Whether the dielectric goes from one value to the other over some distance.
constexpr bool is_smooth(SoluteSurface surface) {
  return surface != SoluteSurface::van_der_waals && surface != SoluteSurface::solvent_excluded;
}

/// One atom's part of a smooth surface.
struct SurfaceStep {
  SoluteSurface surface = SoluteSurface::cubic_spline;
  float window_A = 0.3f;   // splines: half the width of the step, around the atom's radius
  float variance = 0.93f;  // gaussian: the density falls to 1/e at this multiple of the radius
};

/// Distance [A] from an atom beyond which it changes nothing.
IONWELL_HD inline float step_reach_A(const SurfaceStep& step, float radius_A) {
  constexpr float negligible = 4.0f;  // exp(-16) = 1e-7
  return step.surface == SoluteSurface::gaussian ? negligible * step.variance * radius_A
                                                 : radius_A + step.window_A;
}

/// The share of solvent at `distance_A` from an atom, as if it were alone: 0 in it, 1 far away. That of all
/// atoms is the product of theirs.
IONWELL_HD inline float solvent_share(const SurfaceStep& step, float distance_A, float radius_A) {
  if (step.surface == SoluteSurface::gaussian) {
    const float s = distance_A / (step.variance * radius_A);
    return 1.0f - std::exp(-s * s);
  }
  const float t = (distance_A - radius_A + step.window_A) / (2.0f * step.window_A);
  if (!(t > 0.0f)) return 0.0f;
  if (t >= 1.0f) return 1.0f;
  float share = t * t * (3.0f - 2.0f * t);
  if (step.surface == SoluteSurface::quintic_spline) share = t * t * t * (10.0f + t * (-15.0f + 6.0f * t));
  if (step.surface == SoluteSurface::septic_spline)
    share = t * t * t * t * (35.0f + t * (-84.0f + t * (70.0f - 20.0f * t)));
  return share < 1.0f ? share : 1.0f;  // rounding may take it beyond
}

}  // namespace ionwell
