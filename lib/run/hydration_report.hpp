#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "run/result.hpp"

/// What is told of shells of water around placed ions. For sources only, as json_parts.
namespace ionwell {

/// The shells of result.hydration, which must be there, and what they have together.
nlohmann::ordered_json hydration_json(const Result& result);

/// "Hydrated: ...", for the remarks of a file.
std::string hydration_remark(const Hydration& hydration);

/// Waters that had no room; ready to show.
std::vector<std::string> hydration_warnings(const Hydration& hydration);

}  // namespace ionwell
