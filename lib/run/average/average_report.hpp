#pragma once

#include <nlohmann/json.hpp>

#include "run/average/average_summary.hpp"

/// For sources only: this is no header for users of the library.
namespace ionwell {

/// The part "average" of a report.
nlohmann::ordered_json average_json(const AverageSummary& average);

}  // namespace ionwell
