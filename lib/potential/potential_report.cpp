// SPDX-License-Identifier: BSD-3-Clause
#include "potential/potential_report.hpp"

#include "compute/json_parts.hpp"
#include "potential/potential_json.hpp"

namespace ionwell {

std::string json_report(const LatticePotential& made) {
  nlohmann::ordered_json json = json_without_ions(made.run, made.structure, made.potential, made.statistics);
  add_messages(json, made.run.warnings);
  return report_text(json);
}

}  // namespace ionwell
