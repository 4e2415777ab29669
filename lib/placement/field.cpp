// SPDX-License-Identifier: BSD-3-Clause
#include "placement/field.hpp"

#include "core/error.hpp"

namespace ionwell {

std::unique_ptr<LatticeValues> PotentialField::values_in_parts() {
  return nullptr;
}

std::unique_ptr<MapOnDevice> PotentialField::map_on_device(double) {
  return nullptr;
}

double PotentialField::loosest_tie_kT(double, const LowestPoint&) {
  return 0.0;
}

double PotentialField::exact_tie_kT(double, std::int64_t) {
  return 0.0;
}

std::unique_ptr<PotentialField> fill(std::unique_ptr<MaskedLattice> masked, const SolutePotential& potential,
                                     const Progress& progress) {
  if (!masked) fail("the lattice was filled before; make another one");
  return masked->fill_with(potential, progress);
}

}  // namespace ionwell
