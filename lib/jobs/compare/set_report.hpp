#pragma once

#include <string>

#include "jobs/compare/compare_set.hpp"

namespace ionwell {

/// A line for each row, entry and distance, and for each row with all entries together ("all"), which alone
/// has the interval.
std::string csv_set(const SetComparison& comparison);

/// A report for programs.
std::string json_set(const SetComparison& comparison, const SetOptions& options);

}  // namespace ionwell
