// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/compare/compare_protocols.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "compute/json_parts.hpp"
#include "core/version.hpp"
#include "jobs/place/run.hpp"

namespace ionwell {
namespace {

double nearest_A(const Vec3<double>& point, std::span<const Vec3<double>> others) {
  double nearest_A2 = std::numeric_limits<double>::infinity();
  for (const Vec3<double>& other : others) nearest_A2 = std::min(nearest_A2, distance_squared(point, other));
  return std::sqrt(nearest_A2);
}

/// The protocols that have run, and the ions of the one that runs now, in a checkpoint.
class SavedProtocols {
 public:
  /// `checkpoint` may be null, and then nothing is done.
  explicit SavedProtocols(Checkpoint* checkpoint) : checkpoint_(checkpoint) {
    if (checkpoint_ != nullptr && checkpoint_->resumed() != nullptr) resumed_ = *checkpoint_->resumed();
  }

  /// Ions and time of a protocol that ran before; false when it did not, or not to its end.
  bool take_up(std::size_t number, ProtocolResult& result) {
    if (!resumed_.has(ions_of(number))) return false;
    checkpoint_->guarding_resumed([&] {
      const std::vector<double>& positions_A = resumed_.get<double>(ions_of(number));
      if (positions_A.size() % 3 != 0) SavedState::fail_damaged(ions_of(number));
      for (std::size_t n = 0; n < positions_A.size(); n += 3)
        result.ions.push_back({positions_A[n], positions_A[n + 1], positions_A[n + 2]});
      result.seconds = resumed_.value<double>(seconds_of(number));
    });
    save(number, result);
    return true;
  }

  void begin(std::size_t number) {
    if (checkpoint_ == nullptr) return;
    if (!resumed_.has(under_way) || resumed_.value<std::int64_t>(under_way) != std::int64_t(number))
      checkpoint_->forget_resumed();
    ended_.put(under_way, std::int64_t(number));
    checkpoint_->keep(ended_);
  }

  void save(std::size_t number, const ProtocolResult& result) {
    std::vector<double> positions_A;
    positions_A.reserve(3 * result.ions.size());
    for (const Vec3<double>& ion : result.ions) positions_A.insert(positions_A.end(), {ion.x, ion.y, ion.z});
    ended_.put(ions_of(number), std::move(positions_A));
    ended_.put(seconds_of(number), result.seconds);
  }

 private:
  static constexpr const char* under_way = "protocol under way";

  static std::string ions_of(std::size_t number) {
    return "protocol " + std::to_string(number) + ": positions";
  }
  static std::string seconds_of(std::size_t number) {
    return "protocol " + std::to_string(number) + ": seconds";
  }

  Checkpoint* checkpoint_;
  SavedState resumed_, ended_;
};

/// Ions of one protocol, and how long it took.
void run_protocol(const Job& job, Stages& stages, RankGroup* ranks, ProtocolResult& result) {
  const auto start = std::chrono::steady_clock::now();
  const Placement placement = run(job, stages, {{}, ranks}).placement;
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  result.ions.reserve(placement.ions.size());
  for (const PlacedIon& ion : placement.ions) result.ions.push_back(ion.position_A);
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
                                          const std::vector<Protocol>& protocols, const RunObserver& observer,
                                          Checkpoint* checkpoint, int threads, RankGroup* ranks) {
  if (checkpoint != nullptr) checkpoint->tell_failures_to(observer.warning);
  SavedProtocols saved(checkpoint);
  std::vector<ProtocolResult> results;
  results.reserve(protocols.size());
  for (const Protocol& protocol : protocols) {
    const std::size_t number = results.size();
    ProtocolResult& result = results.emplace_back();
    result.name = protocol.name;
    result.not_run = protocol.not_run;
    if (!result.not_run.empty()) continue;
    if (!saved.take_up(number, result)) {
      saved.begin(number);
      Stages stages(protocol.is_solved() ? RunObserver{.stage = observer.stage} : RunObserver{}, checkpoint);
      run_protocol(job_of(protocol, structure, requests, threads), stages, ranks, result);
      saved.save(number, result);
    }
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
  Json json = {{"schema_version", 1},
               {"version", version()},
               {"structure", structure.path},
               {"solute", structure_json(structure)},
               {"protocols", protocols}};
  add_messages(json, warnings);
  return report_text(json);
}

}  // namespace ionwell
