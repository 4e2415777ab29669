#include "placement/compare_sites.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/cell_list.hpp"
#include "core/error.hpp"
#include "core/text/count_text.hpp"
#include "placement/placement_rules.hpp"

namespace ionwell {
namespace {

/// Ions near enough to each site.
using Neighbours = std::vector<std::vector<std::size_t>>;

Neighbours neighbours_within(double distance_A, std::span<const Vec3<double>> ions, const CellList& cells,
                             std::span<const Vec3<double>> sites) {
  const double limit_A2 = distance_A * distance_A + square_tolerance_A2;
  const double reach_A = std::sqrt(limit_A2) * (1 + 1e-12);  // not one less for the rounding of the root
  Neighbours near(sites.size());
  for (std::size_t s = 0; s < sites.size(); ++s)
    cells.near({sites[s], sites[s]}, reach_A, [&](std::uint32_t ion) {
      if (distance_squared(sites[s], ions[ion]) <= limit_A2) near[s].push_back(ion);
    });
  return near;
}

/// Size of a maximum matching, by breadth-first augmenting paths (Kuhn's algorithm).
std::int64_t maximum_matching(const Neighbours& near, std::size_t ions) {
  constexpr std::size_t nobody = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> site_of_ion(ions, nobody), ion_of_site(near.size(), nobody);
  std::vector<std::size_t> reached_from(ions), reached_for(ions, nobody);
  std::int64_t matched = 0;
  for (std::size_t start = 0; start < near.size(); ++start) {
    std::vector<std::size_t> queue = {start};
    std::size_t free_ion = nobody;
    for (std::size_t head = 0; head < queue.size() && free_ion == nobody; ++head)
      for (const std::size_t ion : near[queue[head]]) {
        if (reached_for[ion] == start) continue;
        reached_for[ion] = start;
        reached_from[ion] = queue[head];
        if (site_of_ion[ion] == nobody) {
          free_ion = ion;
          break;
        }
        queue.push_back(site_of_ion[ion]);
      }
    if (free_ion == nobody) continue;
    ++matched;
    for (std::size_t ion = free_ion; ion != nobody;) {  // each site on the path takes the ion that it reached
      const std::size_t site = reached_from[ion];
      site_of_ion[ion] = site;
      ion = std::exchange(ion_of_site[site], ion);
    }
  }
  return matched;
}

}  // namespace

SiteComparison compare_sites(std::span<const Vec3<double>> ions, std::span<const Vec3<double>> sites,
                             const CompareOptions& options) {
  if (sites.empty()) fail("there are no sites to compare with; give a file that holds some");
  constexpr double usual_A = 8.0;  // most sites have an ion nearer than this
  const CellList cells(ions, usual_A);
  SiteComparison comparison{.ions = std::int64_t(ions.size()), .sites = std::int64_t(sites.size())};
  for (const double distance_A : options.distances_A) {
    const Neighbours near = neighbours_within(distance_A, ions, cells, sites);
    const auto found =
        std::count_if(near.begin(), near.end(), [](const auto& some) { return !some.empty(); });
    comparison.within.push_back({distance_A, found, maximum_matching(near, ions.size())});
  }
  for (const Vec3<double>& site : sites) {
    const auto any = [](std::uint32_t) { return true; };
    comparison.nearest_ion_A.push_back(std::sqrt(cells.nearest(ions, site, usual_A, any).distance2_A2));
  }
  return comparison;
}

void print_comparison(std::ostream& out, const SiteComparison& comparison) {
  char line[128];
  out << count_of(comparison.ions, "ion") << ", " << count_of(comparison.sites, "site") << '\n';
  std::snprintf(line, sizeof line, "%-12s %16s %24s\n", "within", "sites with an ion",
                "with one of their own");
  out << line;
  for (const SitesWithin& row : comparison.within) {
    const auto percent = [&](std::int64_t part) { return 100.0 * double(part) / double(comparison.sites); };
    std::snprintf(line, sizeof line, "%8g A   %8lld (%3.0f %%)  %16lld (%3.0f %%)\n", row.distance_A,
                  static_cast<long long>(row.near_any_ion), percent(row.near_any_ion),
                  static_cast<long long>(row.matched), percent(row.matched));
    out << line;
  }
}

std::string json_comparison(const SiteComparison& comparison) {
  using Json = nlohmann::ordered_json;
  Json within = Json::array();
  for (const SitesWithin& row : comparison.within)
    within.push_back(
        {{"distance_A", row.distance_A}, {"near_any_ion", row.near_any_ion}, {"matched", row.matched}});
  const Json json = {{"schema_version", 1},
                     {"ions", comparison.ions},
                     {"sites", comparison.sites},
                     {"within", within},
                     {"nearest_ion_A", comparison.nearest_ion_A}};
  return json.dump(2) + '\n';
}

}  // namespace ionwell
