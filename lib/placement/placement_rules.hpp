// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <limits>

#include "core/host_device.hpp"

/// What every backend decides by, so that all of them place the same ions.
namespace ionwell {

/// Coordinates have three decimals, so squared distances are multiples of 1e-6: halfway between two of them
/// no rounding decides.
constexpr double square_tolerance_A2 = 5e-7;

/// Points with d^2 <= this from an atom of the solute are taken away.
inline double solute_limit_A2(double distance_A) {
  return distance_A * distance_A + square_tolerance_A2;
}

/// Points with d^2 <= this from an ion are taken away: all nearer than the distance, and none at it; its own
/// point in any case.
inline double ion_limit_A2(double distance_A) {
  const double below =
      std::nextafter(distance_A * distance_A - square_tolerance_A2, -std::numeric_limits<double>::infinity());
  return below > 0.0 ? below : 0.0;
}

/// Energies this near to the lowest count as equal and the lowest index wins: what is left of fp64 when the
/// order of a sum changes. That scales with what is added up and not with the sum, which may be nothing:
/// `magnitude_kT_e` is the sum of the terms' sizes at the point of lowest energy. Sums of 250,000 terms in
/// different orders differ by up to 2e-15 of it.
IONWELL_HD inline double tie_band_kT(double charge_e, double magnitude_kT_e) {
  return 1e-14 * std::abs(charge_e * magnitude_kT_e);
}

/// Of a block with more points in the running than this the multilevel sum is replaced by the direct one.
constexpr int near_degenerate_points = 32;

}  // namespace ionwell
