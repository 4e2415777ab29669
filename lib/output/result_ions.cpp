// SPDX-License-Identifier: BSD-3-Clause
#include "output/result_ions.hpp"

namespace ionwell {

std::vector<EngineIon> engine_ions(const Result& result) {
  std::vector<EngineIon> ions;
  for (const PlacedIon& ion : result.placement.ions)
    ions.push_back({ion.species.name, ion.species.element, ion.species.charge_e, ion.position_A});
  return ions;
}

}  // namespace ionwell
