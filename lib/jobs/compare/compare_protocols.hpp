// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "compute/checkpoint/checkpoint.hpp"
#include "compute/observer.hpp"
#include "jobs/compare/protocols.hpp"
#include "placement/place_ions.hpp"
#include "placement/scoring/compare_sites.hpp"

/// Protocols side by side, for one structure.
namespace ionwell {

/// Distances within which a site counts as found.
inline const std::vector<double> site_distances_A = {2.0, 3.0, 4.0, 5.0, 8.0};

/// What one protocol gave.
struct ProtocolResult {
  std::string name;
  std::string not_run;  // why, when it could not be
  double seconds = 0.0;
  std::vector<Vec3<double>> ions;
  std::optional<SiteComparison> sites;
};

/// Runs each of `protocols`, on the CPU. Those that need APBS say so in `not_run` where it is not installed,
/// and the stages of those that have a solver alone go to the observer. `checkpoint` may be null;
/// 0 threads: one for each core; `ranks` share the runs that can be shared, null if there are none.
std::vector<ProtocolResult> run_protocols(const Structure& structure, const std::vector<IonRequest>& requests,
                                          std::span<const Vec3<double>> sites,
                                          const std::vector<Protocol>& protocols, const RunObserver& observer,
                                          Checkpoint* checkpoint = nullptr, int threads = 0,
                                          RankGroup* ranks = nullptr);

/// Mean distance from each ion of one placement to the nearest of the other, both ways.
double mean_distance_A(std::span<const Vec3<double>> a, std::span<const Vec3<double>> b);

/// A report of all of them, for programs.
std::string json_protocols(const Structure& structure, const std::vector<std::string>& warnings,
                           const std::vector<ProtocolResult>& results);

}  // namespace ionwell
