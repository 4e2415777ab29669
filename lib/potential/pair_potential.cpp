#include "potential/pair_potential.hpp"

#include "core/error.hpp"

namespace ionwell {
namespace {

void require_positive(const char* what, double value) {
  if (!(value > 0.0 && std::isfinite(value)))
    fail<UsageError>("the ", what, " is ", value, " (it must be greater than 0)");
}

}  // namespace

PairPotential pair_potential(const ElectrostaticsOptions& options) {
  require_positive("temperature", options.temperature_K);
  if (options.dielectric) require_positive("dielectric constant", *options.dielectric);
  const double constant = coulomb_constant_kT_A(options.temperature_K);
  if (options.ddd_per_A) {
    require_positive("slope of the distance-dependent dielectric", *options.ddd_per_A);
    if (options.dielectric || options.ionic_strength_M)
      fail<UsageError>("--ddd replaces --dielectric and --ionic-strength; give one of them");
    return {PairPotential::Kind::distance_dependent, constant / *options.ddd_per_A, 0.0};
  }
  const double ionic_strength_M = options.ionic_strength_M.value_or(0.0);
  if (!(ionic_strength_M >= 0.0 && std::isfinite(ionic_strength_M)))
    fail<UsageError>("the ionic strength is ", ionic_strength_M, " mol/L (it must not be negative)");
  const double dielectric = options.dielectric.value_or(options.ionic_strength_M ? water_dielectric : 1.0);
  if (ionic_strength_M == 0.0) return {PairPotential::Kind::coulomb, constant / dielectric, 0.0};
  return {PairPotential::Kind::debye_hueckel, constant / dielectric,
          inverse_debye_length_per_A(ionic_strength_M, dielectric, options.temperature_K)};
}

}  // namespace ionwell
