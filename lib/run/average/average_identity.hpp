#pragma once

#include "run/average/average.hpp"
#include "run/average/average_state.hpp"

namespace ionwell {

/// All that the sums of an average depend on; `result` has its plan and summary.
AverageIdentity identity_of(const AverageJob& job, const AverageResult& result);

}  // namespace ionwell
