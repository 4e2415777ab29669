#pragma once

#include <cstdint>
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
};

struct SiteComparison {
  std::int64_t ions = 0, sites = 0;
  std::vector<SitesWithin> within;    // by increasing distance
  std::vector<double> nearest_ion_A;  // for each site; infinite without ions
};

struct CompareOptions {
  std::vector<double> distances_A = {1.0, 2.0, 3.0, 5.0, 8.0};
};

/// Distances in fp64, a site at exactly the distance counts (d^2 <= r^2 + 5e-7 A^2: three decimals).
/// `matched` is a maximum matching, so it depends on no order. Throws Error when there are no sites.
SiteComparison compare_sites(std::span<const Vec3<double>> ions, std::span<const Vec3<double>> sites,
                             const CompareOptions& options = {});

void print_comparison(std::ostream& out, const SiteComparison& comparison);
std::string json_comparison(const SiteComparison& comparison);

}  // namespace ionwell
