// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "jobs/place/job/result.hpp"
#include "structures/engines/engine_files.hpp"

namespace ionwell {

/// The ions placed, under the names that the user gave them.
std::vector<EngineIon> engine_ions(const Result& result);

}  // namespace ionwell
