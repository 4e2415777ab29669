// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "jobs/average/average.hpp"
#include "potential/potential_map.hpp"

namespace ionwell {

/// A map of an average.
enum class AverageMap { mean, deviation, error };

/// "mean", "sd", "se": as the command line calls it, and the file beside the mean's.
std::string_view to_string(AverageMap map);

/// "mean,sd,se", any of them; throws UsageError for other words.
std::vector<AverageMap> parse_average_maps(std::string_view text);

/// Why there is none, of a run that has too few frames or blocks for it; nothing where there is.
std::optional<std::string> missing_because(const AverageResult& result, AverageMap map);

/// The map in `unit`, with where it comes from; O(points). It must not be missing.
ResultMap average_map(const AverageResult& result, AverageMap map, MapUnit unit);

/// "mean over 98 frames of md.dcd, fitted by name CA", as a map and a summary say it.
std::string describe_average(const AverageSummary& average);

}  // namespace ionwell
