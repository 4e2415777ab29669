// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "jobs/average/average.hpp"
#include "jobs/average/average_state.hpp"

namespace ionwell {

/// All that the sums of an average depend on; `result` has its plan and summary.
AverageIdentity identity_of(const AverageJob& job, const AverageResult& result);

}  // namespace ionwell
