#include "jobs/compare/set_report.hpp"

#include "compute/json_parts.hpp"
#include "core/text/quoting.hpp"
#include "core/text/text_stream.hpp"
#include "core/version.hpp"

namespace ionwell {
namespace {

using Json = nlohmann::ordered_json;

double share_of(double part, std::int64_t all) {
  return all > 0 ? part / double(all) : 0.0;
}

/// Empty where sites have no weights, and for random ions.
std::string weighted_cell(const std::vector<double>& recall, std::size_t distance) {
  TextStream text;
  if (!recall.empty()) text << recall[distance];
  return text.str();
}

Json problems_json(const std::vector<SetProblem>& problems) {
  Json json = Json::array();
  for (const SetProblem& problem : problems)
    json.push_back({{"entry", problem.entry}, {"problem", problem.what}});
  return json;
}

Json pooled_json(const PooledScore& all) {
  Json within = Json::array();
  for (std::size_t d = 0; d < site_distances_A.size(); ++d)
    within.push_back({{"distance_A", site_distances_A[d]},
                      {"matched", all.matched[d]},
                      {"recall", all.recall[d]},
                      {"recall_95", {all.recall_95[d].low, all.recall_95[d].high}},
                      {"precision", all.precision[d]}});
  return {{"entries", all.entries},
          {"ions", all.ions},
          {"sites", all.sites},
          {"seconds", all.seconds},
          {"weighted_recall", all.weighted_recall},
          {"within", within}};
}

}  // namespace

std::string csv_set(const SetComparison& comparison) {
  TextStream out;
  out << "protocol,entry,family,atoms,ions,sites,distance_A,matched,recall,precision,recall_low_95,"
         "recall_high_95,seconds,weighted_recall\n";
  for (const SetRow& row : comparison.rows) {
    if (!row.not_run.empty()) continue;
    for (std::size_t n = 0; n < row.scores.size(); ++n) {
      const std::optional<EntryScore>& score = row.scores[n];
      if (!score) continue;
      const SetEntry& entry = comparison.set.entries[n];
      for (std::size_t d = 0; d < site_distances_A.size(); ++d)
        out << csv_cell(row.name) << ',' << csv_cell(entry.name) << ',' << csv_cell(entry.family) << ','
            << comparison.atoms[n] << ',' << score->ions << ',' << score->sites << ',' << site_distances_A[d]
            << ',' << score->matched[d] << ',' << share_of(score->matched[d], score->sites) << ','
            << share_of(score->matched[d], score->ions) << ",,," << score->seconds << ','
            << weighted_cell(score->weighted_recall, d) << '\n';
    }
    const PooledScore& all = row.all;
    for (std::size_t d = 0; d < site_distances_A.size(); ++d)
      out << csv_cell(row.name) << ",all,,," << all.ions << ',' << all.sites << ',' << site_distances_A[d]
          << ',' << all.matched[d] << ',' << all.recall[d] << ',' << all.precision[d] << ','
          << all.recall_95[d].low << ',' << all.recall_95[d].high << ',' << all.seconds << ','
          << weighted_cell(all.weighted_recall, d) << '\n';
  }
  return out.str();
}

std::string json_set(const SetComparison& comparison, const SetOptions& options) {
  Json entries = Json::array(), rows = Json::array();
  for (std::size_t n = 0; n < comparison.set.entries.size(); ++n) {
    const SetEntry& entry = comparison.set.entries[n];
    entries.push_back({{"name", entry.name},
                       {"structure", entry.structure},
                       {"sites", entry.sites},
                       {"family", entry.family},
                       {"atoms", comparison.atoms[n]}});
  }
  for (const SetRow& row : comparison.rows) {
    Json json = {{"name", row.name}, {"about", row.about}};
    if (!row.not_run.empty()) {
      json["not_run"] = row.not_run;
      rows.push_back(std::move(json));
      continue;
    }
    json["all"] = pooled_json(row.all);
    json["entries"] = Json::array();
    for (std::size_t n = 0; n < row.scores.size(); ++n)
      if (const std::optional<EntryScore>& score = row.scores[n])
        json["entries"].push_back({{"name", comparison.set.entries[n].name},
                                   {"ions", score->ions},
                                   {"sites", score->sites},
                                   {"matched", score->matched},
                                   {"seconds", score->seconds}});
    rows.push_back(std::move(json));
  }
  return report_text({{"schema_version", 1},
                      {"version", version()},
                      {"set", comparison.set.folder},
                      {"ions", options.ions},
                      {"ions_per_site", options.ions_per_site},
                      {"site_weights", to_string(options.weight)},
                      {"seed", options.bootstrap.seed},
                      {"bootstrap_draws", options.bootstrap.draws},
                      {"distances_A", site_distances_A},
                      {"entries", entries},
                      {"protocols", rows},
                      {"problems", problems_json(comparison.problems)},
                      {"warnings", comparison.warnings}});
}

}  // namespace ionwell
