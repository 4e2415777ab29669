// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json.hpp>

#include "jobs/place/job/box_result.hpp"
#include "solvation/solvate.hpp"

/// The parts of a report about a box of water. For sources only.
namespace ionwell {

nlohmann::ordered_json water_json(const BoxResult& box);

nlohmann::ordered_json salt_json(const BoxResult& box);

/// The cell, what was done to the solute, and the water added.
nlohmann::ordered_json solvation_json(const Solvation& solvation);

}  // namespace ionwell
