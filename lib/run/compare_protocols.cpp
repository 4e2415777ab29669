#include "run/compare_protocols.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "core/version.hpp"
#include "programs/child_process.hpp"
#include "run/json_parts.hpp"
#include "run/run.hpp"

namespace ionwell {
namespace {

double nearest_A(const Vec3<double>& point, std::span<const Vec3<double>> others) {
  double nearest_A2 = std::numeric_limits<double>::infinity();
  for (const Vec3<double>& other : others) nearest_A2 = std::min(nearest_A2, distance_squared(point, other));
  return std::sqrt(nearest_A2);
}

struct Protocol {
  std::string name;
  SourceOptions source;
  ElectrostaticsOptions electrostatics;

  bool is_solved() const { return std::holds_alternative<PbOptions>(source); }
};

std::vector<Protocol> published_protocols() {
  return {{"coulomb", {}, {}},
          {"ddd", {}, {.ddd_per_A = 3.0}},
          {"debye-hueckel", {}, {.ionic_strength_M = 0.15}},
          {"hybrid", PbOptions{.solved_by = PbSolvedBy::apbs, .every = 5}, {}},
          {"iterated", PbOptions{.solved_by = PbSolvedBy::apbs, .every = 1}, {}}};
}

}  // namespace

double mean_distance_A(std::span<const Vec3<double>> a, std::span<const Vec3<double>> b) {
  double sum_A = 0.0;
  for (const Vec3<double>& ion : a) sum_A += nearest_A(ion, b);
  for (const Vec3<double>& ion : b) sum_A += nearest_A(ion, a);
  return sum_A / double(a.size() + b.size());
}

std::vector<ProtocolResult> run_protocols(const Structure& structure, const std::vector<IonRequest>& requests,
                                          std::span<const Vec3<double>> sites, const RunObserver& observer) {
  const bool has_solver = !find_program(ApbsOptions{}.program).empty();
  std::vector<ProtocolResult> results;
  for (const Protocol& protocol : published_protocols()) {
    ProtocolResult& result = results.emplace_back();
    result.name = protocol.name;
    if (protocol.is_solved() && !has_solver) {
      result.not_run = "there is no apbs here (Debian and Ubuntu: package apbs)";
      continue;
    }
    const auto start = std::chrono::steady_clock::now();
    Stages stages(protocol.is_solved() ? RunObserver{.stage = observer.stage} : RunObserver{});
    const Placement placement = run({.structure = structure,
                                     .ions = requests,
                                     .source = protocol.source,
                                     .electrostatics = protocol.electrostatics,
                                     .backend = {.backend = Backend::cpu}},
                                    stages)
                                    .placement;
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    for (const PlacedIon& ion : placement.ions) result.ions.push_back(ion.position_A);
    if (!sites.empty()) result.sites = compare_sites(result.ions, sites, {site_distances_A});
  }
  return results;
}

std::string json_protocols(const Structure& structure, const std::vector<std::string>& warnings,
                           const std::vector<ProtocolResult>& results) {
  using Json = nlohmann::ordered_json;
  Json protocols = Json::array();
  for (const ProtocolResult& row : results) {
    Json json = {{"name", row.name}};
    if (!row.not_run.empty()) {
      json["not_run"] = row.not_run;
      protocols.push_back(json);
      continue;
    }
    json["seconds"] = row.seconds;
    json["positions_A"] = Json::array();
    for (const Vec3<double>& ion : row.ions) json["positions_A"].push_back({ion.x, ion.y, ion.z});
    Json distances = Json::object();
    for (const ProtocolResult& other : results)
      if (&other != &row && !row.ions.empty() && !other.ions.empty())
        distances[other.name] = mean_distance_A(row.ions, other.ions);
    json["mean_distance_A"] = distances;
    if (row.sites) {
      json["sites"] = row.sites->sites;
      json["within"] = Json::array();
      for (const SitesWithin& within : row.sites->within)
        json["within"].push_back({{"distance_A", within.distance_A}, {"matched", within.matched}});
    }
    protocols.push_back(json);
  }
  const Json json = {{"schema_version", 1},         {"version", version()},
                     {"structure", structure.path}, {"solute", structure_json(structure)},
                     {"protocols", protocols},      {"warnings", warnings}};
  return report_text(json);
}

}  // namespace ionwell
