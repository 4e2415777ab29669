// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/box/solvation_report.hpp"

#include "compute/json_parts.hpp"
#include "core/available_memory.hpp"
#include "core/version.hpp"
#include "jobs/place/job/box_json.hpp"

namespace ionwell {

std::string solvation_report(const Solvation& solvation, const SolvationRun& run) {
  using Json = nlohmann::ordered_json;
  Json timings = Json::object();
  for (const auto& [stage, seconds] : run.timings_s) timings[stage] = seconds;
  Json json = {{"schema_version", 1},
               {"program", {{"name", "ionwell"}, {"version", version()}}},
               {"command", run.command},
               {"structure", structure_json(run.structure)}};
  json.update(solvation_json(solvation));
  json.update({{"atoms", solvation.atoms()}, {"output", run.output}});
  add_messages(json, run.warnings);
  json.update({{"timings_s", timings}, {"memory_bytes", {{"host_peak", peak_memory_bytes()}}}});
  return report_text(json);
}

}  // namespace ionwell
