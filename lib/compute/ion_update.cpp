// SPDX-License-Identifier: BSD-3-Clause
#include "compute/ion_update.hpp"

#include "core/error.hpp"

namespace ionwell {

void validate(const IonUpdate& update, const ElectrostaticsOptions& electrostatics) {
  if (update.dielectric && update.rule == Update::none)
    fail<UsageError>("--tune update-dielectric has no effect with --update none; leave one of them out");
  if (update.dielectric && !(*update.dielectric > 0.0))
    fail<UsageError>("--tune update-dielectric is ", *update.dielectric,
                     "; it must be greater than 0; that of water is ", water_dielectric);
  check_temperature(electrostatics.temperature_K);
  update_potential(update_electrostatics(update, electrostatics));
}

std::optional<ElectrostaticsOptions> update_electrostatics(const IonUpdate& update,
                                                           const ElectrostaticsOptions& electrostatics) {
  ElectrostaticsOptions acting{.temperature_K = electrostatics.temperature_K};
  switch (update.rule) {
    case Update::none:
      return std::nullopt;
    case Update::coulomb:
      acting.dielectric = update.dielectric.value_or(published_hybrid_dielectric);
      break;
    default:
      acting.dielectric = update.dielectric.value_or(water_dielectric);
      acting.ionic_strength_M = electrostatics.ionic_strength_M.value_or(usual_ionic_strength_M);
  }
  return acting;
}

PairPotential update_potential(const std::optional<ElectrostaticsOptions>& update) {
  return update ? pair_potential(*update) : PairPotential{};
}

IonUpdate with_hybrid_default(IonUpdate update) {
  if (update.rule == Update::automatic) update.rule = Update::coulomb;
  return update;
}

}  // namespace ionwell
