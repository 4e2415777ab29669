// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "core/structure.hpp"
#include "solvation/hydration/hydrate.hpp"

/// What is told of shells of water around placed ions. For sources only, as json_parts.
namespace ionwell {

/// The shells, and what they have together; the acceptors are atoms of `structure`.
nlohmann::ordered_json hydration_json(const Hydration& hydration, const Structure& structure);

/// "Hydrated: ...", for the remarks of a file.
std::string hydration_remark(const Hydration& hydration);

/// Waters that had no room; ready to show. `remedy` is what makes room, a clause, or empty.
std::vector<std::string> hydration_warnings(const Hydration& hydration, std::string_view remedy);

}  // namespace ionwell
