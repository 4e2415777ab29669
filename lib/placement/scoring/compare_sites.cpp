// SPDX-License-Identifier: BSD-3-Clause
#include "placement/scoring/compare_sites.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <numeric>

#include "core/cell_list.hpp"
#include "core/error.hpp"
#include "core/text/count_text.hpp"
#include "placement/placement_rules.hpp"
#include "placement/scoring/matching.hpp"

namespace ionwell {
namespace {

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

/// The other side's view: the sites near each ion.
Neighbours turned(const Neighbours& near, std::size_t ions) {
  Neighbours sites_near(ions);
  for (std::size_t site = 0; site < near.size(); ++site)
    for (const std::size_t ion : near[site]) sites_near[ion].push_back(site);
  return sites_near;
}

/// How many sites the first ion, the first two ... match.
std::vector<std::int64_t> matched_by_first(const Neighbours& near, std::size_t ions) {
  const Neighbours sites_near = turned(near, ions);
  Matching matching(sites_near, near.size());
  std::vector<std::int64_t> counts(ions);
  std::int64_t matched = 0;
  for (std::size_t ion = 0; ion < ions; ++ion) counts[ion] = matched += matching.add(ion) ? 1 : 0;
  return counts;
}

/// Most weight that can be matched, of all: sites by falling weight.
double matched_weight(const Neighbours& near, std::size_t ions, std::span<const double> weights) {
  std::vector<std::size_t> order(near.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return weights[a] > weights[b]; });
  Matching matching(near, ions);
  double weight = 0.0;
  for (const std::size_t site : order)
    if (matching.add(site)) weight += weights[site];
  return weight / std::accumulate(weights.begin(), weights.end(), 0.0);
}

void check_weights(std::span<const double> weights, std::size_t sites) {
  if (weights.empty()) return;
  if (weights.size() != sites)
    fail("there are ", weights.size(), " weights for ", count_of(std::int64_t(sites), "site"),
         "; give one for each");
  double sum = 0.0;
  for (const double weight : weights) {
    if (!(weight >= 0.0 && std::isfinite(weight)))
      fail("the weight ", weight, " of a site is not a number of 0 or more; leave the weights out");
    sum += weight;
  }
  if (!(sum > 0.0)) fail("all sites have the weight 0; leave the weights out");
}

/// How recall and precision go with the number of ions placed, at one distance.
void print_by_number(std::ostream& out, const SiteComparison& comparison) {
  constexpr double shown_A = 3.0;        // what the literature counts as found
  constexpr std::int64_t most_rows = 8;  // of as many steps
  for (const SitesWithin& row : comparison.within) {
    if (row.distance_A != shown_A) continue;
    out << "\nfirst ions   sites with one of their own within " << row.distance_A << " A   of the ions\n";
    const std::int64_t rows = std::min(most_rows, comparison.ions);
    for (std::int64_t step = 1; step <= rows; ++step) {
      const std::int64_t ions = comparison.ions * step / rows;
      const std::int64_t matched = row.matched_by_first[std::size_t(ions - 1)];
      char line[96];
      std::snprintf(line, sizeof line, "%10lld   %26lld (%3.0f %%) %17.0f %%\n", static_cast<long long>(ions),
                    static_cast<long long>(matched), 100.0 * double(matched) / double(comparison.sites),
                    100.0 * double(matched) / double(ions));
      out << line;
    }
  }
}

}  // namespace

SiteComparison compare_sites(std::span<const Vec3<double>> ions, std::span<const Vec3<double>> sites,
                             const CompareOptions& options) {
  if (sites.empty()) fail("there are no sites to compare with; give a file with sites");
  check_weights(options.weights, sites.size());
  if (options.distances_A.empty())
    fail<UsageError>("no distance for the comparison is given; give one or more");
  for (const double distance_A : options.distances_A)
    if (!(distance_A > 0.0 && std::isfinite(distance_A)))
      fail<UsageError>("the distance for the comparison is ", distance_A, " A; it must be more than 0");
  constexpr double usual_A = 8.0;  // most sites have an ion nearer than this
  const CellList cells(ions, usual_A);
  SiteComparison comparison{.ions = std::int64_t(ions.size()),
                            .sites = std::int64_t(sites.size()),
                            .is_weighted = !options.weights.empty()};
  comparison.within.reserve(options.distances_A.size());
  comparison.nearest_ion_A.reserve(sites.size());
  for (const double distance_A : options.distances_A) {
    const Neighbours near = neighbours_within(distance_A, ions, cells, sites);
    const auto found =
        std::count_if(near.begin(), near.end(), [](const auto& some) { return !some.empty(); });
    SitesWithin row{.distance_A = distance_A,
                    .near_any_ion = found,
                    .matched_by_first = matched_by_first(near, ions.size())};
    if (!ions.empty()) row.matched = row.matched_by_first.back();
    row.matched_weight =
        comparison.is_weighted ? matched_weight(near, ions.size(), options.weights) : comparison.recall(row);
    comparison.within.push_back(std::move(row));
  }
  for (const Vec3<double>& site : sites) {
    const auto any = [](std::uint32_t) { return true; };
    comparison.nearest_ion_A.push_back(std::sqrt(cells.nearest(ions, site, usual_A, any).distance2_A2));
  }
  return comparison;
}

void print_comparison(std::ostream& out, const SiteComparison& comparison) {
  char line[160];
  const auto print = [&](const char* format, auto... values) {
    std::snprintf(line, sizeof line, format, values...);
    out << line;
  };
  const auto percent = [&](std::int64_t part) { return 100.0 * double(part) / double(comparison.sites); };
  const bool has_random = !comparison.within.empty() && comparison.within.front().at_random.has_value();
  out << count_of(comparison.ions, "ion") << ", " << count_of(comparison.sites, "site") << '\n';
  print("%-12s %16s %24s %11s", "within", "sites with an ion", "with one of their own", "of the ions");
  if (comparison.is_weighted) print(" %14s", ("by " + comparison.weights_from).c_str());
  if (has_random) print(" %16s", "at random");
  out << '\n';
  for (const SitesWithin& row : comparison.within) {
    print("%8g A   %8lld (%3.0f %%)  %16lld (%3.0f %%) %9.0f %%", row.distance_A,
          static_cast<long long>(row.near_any_ion), percent(row.near_any_ion),
          static_cast<long long>(row.matched), percent(row.matched), 100.0 * comparison.precision(row));
    if (comparison.is_weighted) print(" %12.0f %%", 100.0 * row.matched_weight);
    if (row.at_random)
      print(" %8.1f (%3.0f %%)", *row.at_random, 100.0 * *row.at_random / double(comparison.sites));
    out << '\n';
  }
  if (comparison.ions > 1) print_by_number(out, comparison);
}

std::string json_comparison(const SiteComparison& comparison) {
  using Json = nlohmann::ordered_json;
  Json within = Json::array();
  for (const SitesWithin& row : comparison.within) {
    Json entry = {{"distance_A", row.distance_A},
                  {"near_any_ion", row.near_any_ion},
                  {"matched", row.matched},
                  {"recall", comparison.recall(row)},
                  {"precision", comparison.precision(row)}};
    if (comparison.is_weighted) entry["weighted_recall"] = row.matched_weight;
    if (row.at_random) entry["matched_at_random"] = *row.at_random;
    entry["matched_by_first_ions"] = row.matched_by_first;
    within.push_back(std::move(entry));
  }
  Json json = {{"schema_version", 1},
               {"ions", comparison.ions},
               {"sites", comparison.sites},
               {"within", within},
               {"nearest_ion_A", comparison.nearest_ion_A}};
  if (comparison.is_weighted) json["site_weights"] = comparison.weights_from;
  return json.dump(2) + '\n';
}

}  // namespace ionwell
