// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/pair_potential.hpp"

#include "core/error.hpp"
#include "core/temperature.hpp"

namespace ionwell {
namespace {

/// Ranges are as wide as fp32 can take, with room to spare.
void require_between(double least, double most, double value, const char* what, const char* unit = "") {
  if (!(value >= least && value <= most))
    fail<UsageError>("the ", what, " is ", value, unit, " (it must be from ", least, " to ", most, unit, ")");
}

}  // namespace

void check_temperature(double temperature_K) {
  require_between(lowest_temperature_K, highest_temperature_K, temperature_K, "temperature", " K");
}

PairPotential pair_potential(const ElectrostaticsOptions& options) {
  check_temperature(options.temperature_K);
  if (options.dielectric) require_between(0.01, 1e6, *options.dielectric, "dielectric constant");
  const double constant = coulomb_constant_kT_A(options.temperature_K);
  if (options.ddd_per_A) {
    require_between(0.01, 1e6, *options.ddd_per_A, "slope of the distance-dependent dielectric");
    if (options.dielectric || options.ionic_strength_M)
      fail<UsageError>("--ddd replaces --dielectric and --ionic-strength; give one of them");
    return {PairPotential::Kind::distance_dependent, constant / *options.ddd_per_A, 0.0};
  }
  const double ionic_strength_M = options.ionic_strength_M.value_or(0.0);
  require_between(0.0, 100.0, ionic_strength_M, "ionic strength", " mol/L");
  const double dielectric = options.dielectric.value_or(options.ionic_strength_M ? water_dielectric : 1.0);
  if (ionic_strength_M == 0.0) return {PairPotential::Kind::coulomb, constant / dielectric, 0.0};
  return {PairPotential::Kind::debye_hueckel, constant / dielectric,
          inverse_debye_length_per_A(ionic_strength_M, dielectric, options.temperature_K)};
}

}  // namespace ionwell
