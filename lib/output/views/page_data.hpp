// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nlohmann/json.hpp>
#include <span>

#include "input/chemistry_row.hpp"
#include "jobs/place/job/result.hpp"
#include "output/views/coarse_map.hpp"

/// For sources only: this is no header for users of the library.
namespace ionwell {

/// All that a page shows, as report.js reads it.
nlohmann::ordered_json page_data(const Result& result, const CoarseMap& map,
                                 std::span<const ChemistryRow> chemistry);

/// The same as text for a script element of type application/json: ASCII, without "<", so that no text of
/// the result can end the element. What is not UTF-8 is replaced.
std::string script_safe(const nlohmann::ordered_json& json);

/// `text` for HTML, in an element or a quoted attribute; what is not UTF-8 is replaced.
std::string html_text(const std::string& text);

}  // namespace ionwell
