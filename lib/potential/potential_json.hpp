// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "compute/run_record.hpp"
#include "core/structure.hpp"
#include "placement/field_statistics.hpp"
#include "potential/request/potential_record.hpp"

/// For sources only: this is no header for users of the library.
namespace ionwell {

/// What the reports of all runs that have a potential on a lattice begin with.
nlohmann::ordered_json potential_json(const RunRecord& run, const Structure& structure,
                                      const PotentialRecord& potential,
                                      const std::optional<FieldStatistics>& statistics);

/// The report of a potential in which no ion was placed, but for its warnings.
nlohmann::ordered_json json_without_ions(const RunRecord& run, const Structure& structure,
                                         const PotentialRecord& potential,
                                         const std::optional<FieldStatistics>& statistics);

}  // namespace ionwell
