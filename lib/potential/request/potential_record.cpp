// SPDX-License-Identifier: BSD-3-Clause
#include "potential/request/potential_record.hpp"

namespace ionwell {

PotentialRecord planned_potential(const Plan& plan, const ElectrostaticsOptions& electrostatics) {
  return {.lattice = plan.lattice, .electrostatics = plan.acting.value_or(electrostatics)};
}

}  // namespace ionwell
