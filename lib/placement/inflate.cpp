// SPDX-License-Identifier: BSD-3-Clause
#include "placement/inflate.hpp"

#include <algorithm>
#include <cmath>

namespace ionwell {

InflationFrame inflation_frame(const PairPotential& pair, Vec3<double> half_A, double extent_A) {
  // Centres to 2^-24 of the extent on each axis, and ions to twice that, should they be outside; for one
  // still farther away the slack is nothing beside its distance.
  constexpr double slack_part = 1.75 * 3 * 0x1p-24;
  const double half = 1.00001 * std::sqrt(dot(half_A, half_A)), slack = slack_part * extent_A;
  // What moving the centre by the slack does to an ion's terms, as a part of their size, at most. For 1/r and
  // q = half / r <= 1/2: slack / r (1 + 2 q + 6 q^2) / (1 + q + 3 q^2).
  const double steepness = (pair.kind == PairPotential::Kind::coulomb ? 1.0 : 2.0) / half + pair.kappa_per_A;
  constexpr double rounding = 1e-5, least_rounding = 2e-5;
  return {.kind = pair.kind,
          .prefactor = float(pair.prefactor),
          .kappa_per_A = float(pair.kappa_per_A),
          .hx = float(half_A.x),
          .hy = float(half_A.y),
          .hz = float(half_A.z),
          .half = float(half),
          .slack = float(slack),
          .rounding = float(std::max(least_rounding, rounding + slack * steepness))};
}

}  // namespace ionwell
