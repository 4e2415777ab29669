// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <optional>

#include "core/host_device.hpp"
#include "core/units.hpp"

namespace ionwell {

/// How the solute and its surroundings screen a charge; the defaults give the bare Coulomb protocol.
struct ElectrostaticsOptions {
  double temperature_K = room_temperature_K;
  std::optional<double> dielectric;        // 1 when not given, water's with an ionic strength
  std::optional<double> ddd_per_A;         // distance-dependent dielectric eps(r) = ddd r
  std::optional<double> ionic_strength_M;  // Debye-Hueckel screening by a 1:1 salt
};

/// A point at the position of a charge has the potential at this distance, so a map never contains inf or
/// NaN.
constexpr double smallest_distance_A = 1e-3;

/// Charges whose potential at 1 A is weaker than this are ignored, which keeps the scaled squares of 1e5 A
/// within the range of fp32.
constexpr double smallest_potential_kT_e = 1e-12;

/// Potential of a unit charge [kT/e] as a function of distance r:
///   coulomb            prefactor / r
///   distance_dependent prefactor / r^2                 (eps(r) = k r; Stone et al. 2007, eq. 3)
///   debye_hueckel      prefactor exp(-kappa r) / r
struct PairPotential {
  enum class Kind { coulomb, distance_dependent, debye_hueckel };

  Kind kind = Kind::coulomb;
  double prefactor = 0.0;    // kT A / e^2, or kT A^2 / e^2 for distance_dependent
  double kappa_per_A = 0.0;  // only for debye_hueckel

  IONWELL_HD double at(double distance_squared_A2) const {
    constexpr double smallest2 = smallest_distance_A * smallest_distance_A;
    const double r2 = distance_squared_A2 < smallest2 ? smallest2 : distance_squared_A2;
    if (kind == Kind::distance_dependent) return prefactor / r2;
    const double r = std::sqrt(r2);
    return (kind == Kind::coulomb ? prefactor : prefactor * std::exp(-kappa_per_A * r)) / r;
  }

  /// Value, and first and second derivative with respect to r, at a distance above the smallest one. The
  /// second one is the largest curvature in any direction and decreases with distance.
  struct Derivatives {
    double value, slope, curvature;
  };

  IONWELL_HD Derivatives derivatives(double distance_A) const {
    const double inverse = 1.0 / distance_A;
    if (kind == Kind::distance_dependent) {
      const double v = prefactor * inverse * inverse;
      return {v, -2.0 * v * inverse, 6.0 * v * inverse * inverse};
    }
    if (kind == Kind::coulomb) {
      const double v = prefactor * inverse;
      return {v, -v * inverse, 2.0 * v * inverse * inverse};
    }
    const double v = prefactor * std::exp(-kappa_per_A * distance_A) * inverse;
    return {v, -v * (kappa_per_A + inverse),
            v * (kappa_per_A * kappa_per_A + 2.0 * inverse * (kappa_per_A + inverse))};
  }
};

/// Throws UsageError for a temperature outside 1 to 10,000 K.
void check_temperature(double temperature_K);

/// Throws UsageError for a dielectric, temperature or ionic strength out of range, and for two kinds of
/// screening at once.
PairPotential pair_potential(const ElectrostaticsOptions& options);

}  // namespace ionwell
