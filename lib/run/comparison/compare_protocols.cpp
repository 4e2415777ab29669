#include "run/comparison/compare_protocols.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "core/version.hpp"
#include "run/json_parts.hpp"
#include "run/run.hpp"

namespace ionwell {
namespace {

double nearest_A(const Vec3<double>& point, std::span<const Vec3<double>> others) {
  double nearest_A2 = std::numeric_limits<double>::infinity();
  for (const Vec3<double>& other : others) nearest_A2 = std::min(nearest_A2, distance_squared(point, other));
  return std::sqrt(nearest_A2);
}

}  // namespace

double mean_distance_A(std::span<const Vec3<double>> a, std::span<const Vec3<double>> b) {
  double sum_A = 0.0;
  for (const Vec3<double>& ion : a) sum_A += nearest_A(ion, b);
  for (const Vec3<double>& ion : b) sum_A += nearest_A(ion, a);
  return sum_A / double(a.size() + b.size());
}

std::vector<ProtocolResult> run_protocols(const Structure& structure, const std::vector<IonRequest>& requests,
                                          std::span<const Vec3<double>> sites,
                                          const std::vector<Protocol>& protocols,
                                          const RunObserver& observer) {
  std::vector<ProtocolResult> results;
  results.reserve(protocols.size());
  for (const Protocol& protocol : protocols) {
    ProtocolResult& result = results.emplace_back();
    result.name = protocol.name;
    result.not_run = protocol.not_run;
    if (!result.not_run.empty()) continue;
    const auto start = std::chrono::steady_clock::now();
    Stages stages(protocol.is_solved() ? RunObserver{.stage = observer.stage} : RunObserver{});
    const Placement placement = run(job_of(protocol, structure, requests), stages).placement;
    result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    result.ions.reserve(placement.ions.size());
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
