#pragma once

#include <ostream>

#include "jobs/compare/compare_set.hpp"

namespace ionwell {

/// A row for each protocol: the share of all sites by distance, and its interval at the usual one.
void print_set(std::ostream& out, const SetComparison& comparison);

}  // namespace ionwell
