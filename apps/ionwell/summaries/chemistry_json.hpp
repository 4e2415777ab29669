#pragma once

#include <nlohmann/json.hpp>

#include "ionwell/summaries/chemistry_summary.hpp"

namespace ionwell {

/// All that was perceived, for reports: residues by role, pieces, gaps, links, metals, and every note.
nlohmann::ordered_json chemistry_json(const PerceivedEntry& entry);

}  // namespace ionwell
