// SPDX-License-Identifier: BSD-3-Clause
#include "output/chemistry_report.hpp"

#include <nlohmann/json.hpp>

#include "compute/json_parts.hpp"

namespace ionwell {

std::string with_chemistry(const std::string& report, std::span<const ChemistryRow> rows) {
  if (rows.empty()) return report;
  nlohmann::ordered_json json = nlohmann::ordered_json::parse(report);
  nlohmann::ordered_json table = nlohmann::ordered_json::array();
  for (const ChemistryRow& row : rows)
    table.push_back({{"residue", row.residue},
                     {"what", row.what},
                     {"why", row.why},
                     {"otherwise", row.otherwise.empty() ? nlohmann::ordered_json()
                                                         : nlohmann::ordered_json(row.otherwise)}});
  json["chemistry"] = std::move(table);
  return report_text(json);
}

}  // namespace ionwell
