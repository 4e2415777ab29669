#pragma once

#include <nlohmann/json.hpp>

#include "run/box/box_result.hpp"

/// The parts of a report about a box of water. For sources only.
namespace ionwell {

nlohmann::ordered_json water_json(const BoxResult& box);

nlohmann::ordered_json salt_json(const BoxResult& box);

}  // namespace ionwell
