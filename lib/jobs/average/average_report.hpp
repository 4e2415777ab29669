// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "jobs/average/average.hpp"

namespace ionwell {

/// JSON, schema version 1; later versions only add. Numbers that are not finite are null.
std::string json_report(const AverageResult& result);

/// How the potential of each frame was computed.
std::string describe_method(const AverageResult& result);

}  // namespace ionwell
