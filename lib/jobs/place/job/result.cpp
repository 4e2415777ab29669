// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/place/job/result.hpp"

#include "compute/stages.hpp"

namespace ionwell {

void update_costs(Result& result, const Stages& stages) {
  if (result.field != nullptr) result.statistics = result.field->statistics();
  update_costs(result.run, stages, result.statistics ? &result.statistics->device : nullptr);
}

}  // namespace ionwell
