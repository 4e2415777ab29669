// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json.hpp>

#include "ionwell/summaries/chemistry_summary.hpp"

namespace ionwell {

/// What a report has under "molecules", all that was perceived: residues by role, pieces, gaps, links,
/// metals, and every note.
nlohmann::ordered_json chemistry_json(const PerceivedEntry& entry);

}  // namespace ionwell
