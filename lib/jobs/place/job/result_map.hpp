// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "jobs/place/job/result.hpp"
#include "potential/potential_map.hpp"

namespace ionwell {

/// The potential that a result's field holds, as a map; see potential_map.hpp.
ResultMap map_of(const Result& result, MapContents contents, MapUnit unit = MapUnit::kT_e);
ResultMapToWrite map_to_write(const Result& result, MapContents contents, MapUnit unit = MapUnit::kT_e);

}  // namespace ionwell
