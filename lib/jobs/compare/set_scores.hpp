#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ionwell {

/// Distances within which a site counts as found.
inline const std::vector<double> site_distances_A = {2.0, 3.0, 4.0, 5.0, 8.0};

/// What one protocol found in one entry of a set. Random ions match a mean number.
struct EntryScore {
  std::int64_t ions = 0, sites = 0;
  std::vector<double> matched;          // by site_distances_A
  std::vector<double> weighted_recall;  // share of the sites' weight, likewise; empty without weights
  double seconds = 0.0;
};

/// The middle of what the shares are when families are drawn anew: 95 % of them.
struct Interval {
  double low = 0.0, high = 0.0;
};

/// All entries together: shares of all sites, whichever entry has them.
struct PooledScore {
  std::int64_t entries = 0, ions = 0, sites = 0;
  std::vector<double> matched, recall, precision;  // by site_distances_A; shares are 0 of nothing
  std::vector<double> weighted_recall;             // entries count by their sites; empty where one has none
  std::vector<Interval> recall_95;
  double seconds = 0.0;
};

struct BootstrapOptions {
  int draws = 2000;
  std::uint64_t seed = 1;
};

/// `scores` by entry, none where it could not be scored; `families` by entry. The interval is that of the
/// bootstrap: as many families as there are are drawn with replacement, each with all of its entries, and of
/// the recalls the 2.5 and 97.5 percentiles are taken. Numbers of std::mt19937_64, the same everywhere.
PooledScore pooled(const std::vector<std::optional<EntryScore>>& scores,
                   const std::vector<std::string>& families, const BootstrapOptions& options);

}  // namespace ionwell
