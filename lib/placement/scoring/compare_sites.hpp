// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "core/vec3.hpp"

namespace ionwell {

/// How many known sites were found, within one distance.
struct SitesWithin {
  double distance_A = 0.0;
  std::int64_t near_any_ion = 0;  // sites with an ion within the distance; one ion may serve several
  std::int64_t matched = 0;       // most sites that can each have an ion of their own within the distance
  double matched_weight = 0.0;    // most weight of sites that can, of all weight
  std::vector<std::int64_t> matched_by_first = {};  // [n]: by the first n + 1 ions alone
  std::optional<double> at_random = {};  // what as many ions at random places match, see expect_at_random
};

struct SiteComparison {
  std::int64_t ions = 0, sites = 0;
  std::vector<SitesWithin> within;    // by increasing distance
  std::vector<double> nearest_ion_A;  // for each site; infinite without ions
  bool is_weighted = false;           // sites have weights of their own
  std::string weights_from = {};      // what they are: "occupancy"

  /// Share of the sites, and of the ions, that are matched with one of the other; 0 where there are none.
  double recall(const SitesWithin& row) const { return double(row.matched) / double(sites); }
  double precision(const SitesWithin& row) const {
    return ions == 0 ? 0.0 : double(row.matched) / double(ions);
  }
};

struct CompareOptions {
  std::vector<double> distances_A = {1.0, 2.0, 3.0, 4.0, 5.0, 8.0};
  std::vector<double> weights = {};  // of the sites; empty: all alike
};

/// Distances in fp64, a site at exactly the distance counts (d^2 <= r^2 + 5e-7 A^2: three decimals).
/// `matched` is a maximum matching, so it depends on no order. Throws Error when there are no sites, or
/// weights that are not one for each of them, not negative, and together more than 0.
SiteComparison compare_sites(std::span<const Vec3<double>> ions, std::span<const Vec3<double>> sites,
                             const CompareOptions& options = {});

/// Found sites by distance; with more than one ion also recall and precision against the number of ions.
void print_comparison(std::ostream& out, const SiteComparison& comparison);
std::string json_comparison(const SiteComparison& comparison);

}  // namespace ionwell
