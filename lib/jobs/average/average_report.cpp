// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/average/average_report.hpp"

#include <nlohmann/json.hpp>

#include "compute/json_parts.hpp"
#include "potential/potential_json.hpp"
#include "potential/potential_report.hpp"

namespace ionwell {
namespace {

nlohmann::ordered_json average_json(const AverageSummary& average) {
  using AverageJson = nlohmann::ordered_json;
  const FrameTallies& tallies = average.tallies;
  AverageJson files = AverageJson::array(), changes = AverageJson::array();
  for (const TrajectoryPart& part : average.files)
    files.push_back({{"path", part.path}, {"frames", part.frames}});
  for (const MeanChange& change : average.changes)
    changes.push_back({{"frames", change.frames}, {"rms_change_kT_e", change.rms_kT_e}});
  AverageJson json = {{"files", files},
                      {"first", average.first},
                      {"every", average.every},
                      {"chosen_frames", average.chosen},
                      {"frames", average.frames},
                      {"resumed_frames", average.resumed_frames},
                      {"interrupted", average.is_interrupted},
                      {"bad_frames", tallies.bad},
                      {"frames_at_once", average.frames_at_once},
                      {"seconds", average.seconds},
                      {"boundary", std::string(to_string(average.boundary))},
                      {"frames_made_whole", tallies.made_whole},
                      {"frames_beyond_lattice", tallies.beyond_lattice},
                      {"farthest_beyond_A", tallies.farthest_beyond_A}};
  if (tallies.bad > 0) json["first_bad_frame"] = tallies.first_bad;
  if (!average.fit.empty())
    json["fit"] = {
        {"selection", average.fit},
        {"atoms", average.fitted_atoms},
        {"reference", average.reference ? AverageJson(*average.reference) : AverageJson(nullptr)},
        {"lowest_rmsd_A", tallies.lowest_rmsd_A},
        {"highest_rmsd_A", tallies.highest_rmsd_A},
        {"highest_rmsd_frame", tallies.highest_rmsd_frame},
        {"mean_rmsd_A",
         average.frames > 0 ? AverageJson(tallies.rmsd_sum_A / double(average.frames)) : AverageJson()}};
  json["convergence"] = {{"beyond_A", average.watched_beyond_A}, {"changes", changes}};
  if (average.kinds.error) json["blocks"] = {{"asked", average.blocks_asked}, {"done", average.blocks}};
  return json;
}

}  // namespace

std::string json_report(const AverageResult& result) {
  nlohmann::ordered_json json =
      json_without_ions(result.run, result.preparation->structure(), result.potential, std::nullopt);
  json["average"] = average_json(result.summary);
  add_messages(json, result.run.warnings);
  return report_text(json);
}

std::string describe_method(const AverageResult& result) {
  return result.potential.is_periodic ? "periodic sum (Ewald)" : describe_method(result.potential);
}

}  // namespace ionwell
