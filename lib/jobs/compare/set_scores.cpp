#include "jobs/compare/set_scores.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

namespace ionwell {
namespace {

/// What the entries of one family have together.
struct FamilySum {
  double sites = 0.0;
  std::vector<double> matched = std::vector<double>(site_distances_A.size(), 0.0);
};

double share(double part, double all) {
  return all > 0.0 ? part / all : 0.0;
}

/// Between the two nearest of the sorted values.
double percentile(const std::vector<double>& sorted, double part) {
  const double at = part * double(sorted.size() - 1);
  const auto below = std::size_t(at);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - double(below)) * (sorted[above] - sorted[below]);
}

}  // namespace

PooledScore pooled(const std::vector<std::optional<EntryScore>>& scores,
                   const std::vector<std::string>& families, const BootstrapOptions& options) {
  const std::size_t distances = site_distances_A.size();
  PooledScore all;
  all.matched.assign(distances, 0.0);
  all.weighted_recall.assign(distances, 0.0);
  std::map<std::string, FamilySum> by_family;
  for (std::size_t n = 0; n < scores.size(); ++n) {
    const std::optional<EntryScore>& score = scores[n];
    if (!score) continue;
    ++all.entries;
    all.ions += score->ions;
    all.sites += score->sites;
    all.seconds += score->seconds;
    if (score->weighted_recall.empty()) all.weighted_recall.clear();
    for (std::size_t d = 0; d < all.weighted_recall.size(); ++d)
      all.weighted_recall[d] += double(score->sites) * score->weighted_recall[d];
    FamilySum& family = by_family[families[n]];
    family.sites += double(score->sites);
    for (std::size_t d = 0; d < distances; ++d) {
      all.matched[d] += score->matched[d];
      family.matched[d] += score->matched[d];
    }
  }
  if (all.entries == 0) all.weighted_recall.clear();
  for (double& recall : all.weighted_recall) recall = share(recall, double(all.sites));
  all.recall.reserve(distances);
  all.precision.reserve(distances);
  for (const double matched : all.matched) {
    all.recall.push_back(share(matched, double(all.sites)));
    all.precision.push_back(share(matched, double(all.ions)));
  }
  all.recall_95.assign(distances, {});
  if (by_family.empty() || options.draws < 1) return all;

  std::vector<FamilySum> sums;
  sums.reserve(by_family.size());
  for (auto& [name, sum] : by_family) sums.push_back(std::move(sum));
  std::vector<std::vector<double>> recalls(distances);
  for (std::vector<double>& some : recalls) some.reserve(std::size_t(options.draws));
  std::mt19937_64 random(options.seed);
  for (int draw = 0; draw < options.draws; ++draw) {
    FamilySum drawn;
    for (std::size_t n = 0; n < sums.size(); ++n) {
      // The 53 bits of a double: std::uniform_int_distribution may differ by system.
      const FamilySum& family = sums[std::size_t(double(random() >> 11U) * 0x1p-53 * double(sums.size()))];
      drawn.sites += family.sites;
      for (std::size_t d = 0; d < distances; ++d) drawn.matched[d] += family.matched[d];
    }
    for (std::size_t d = 0; d < distances; ++d) recalls[d].push_back(share(drawn.matched[d], drawn.sites));
  }
  constexpr double outside = 0.025;  // of the draws, on either side
  for (std::size_t d = 0; d < distances; ++d) {
    std::sort(recalls[d].begin(), recalls[d].end());
    all.recall_95[d] = {percentile(recalls[d], outside), percentile(recalls[d], 1.0 - outside)};
  }
  return all;
}

}  // namespace ionwell
