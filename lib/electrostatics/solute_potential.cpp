// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/solute_potential.hpp"

#include "core/error.hpp"

namespace ionwell {

std::span<const PointCharge> charges_of(const SolutePotential& potential) {
  if (const auto* sum = std::get_if<DirectSum>(&potential)) return sum->charges;
  if (const auto* sum = std::get_if<MultilevelSum>(&potential)) return sum->charges;
  return {};
}

std::span<const double> values_of(const SolutePotential& potential) {
  const auto* map = std::get_if<ImportedMap>(&potential);
  return map != nullptr ? map->values_kT_e : std::span<const double>{};
}

void validate(const SolutePotential& potential, const LatticeGeometry& lattice, const PairPotential& pair) {
  if (const auto* sum = std::get_if<MultilevelSum>(&potential)) check_multilevel(lattice, pair, sum->options);
  const auto* map = std::get_if<ImportedMap>(&potential);
  if (map == nullptr || map->in_parts != nullptr) return;
  if (map->on_device && map->values_kT_e.empty()) return;
  const auto values = std::ssize(values_of(potential));
  if (values != lattice.size())
    fail("a lattice of ", lattice.size(), " points needs as many values, not ", values);
}

}  // namespace ionwell
