// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/at_points/point_statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/cell_list.hpp"

namespace ionwell {
namespace {

constexpr std::size_t most_patches = 5;
constexpr double low_share = 0.1;  // of the area, in patches
constexpr double apart_A = 5.0;    // of low points
constexpr std::size_t histogram_bins = 10;

/// Points with values, the lowest first, and how much each counts.
struct RankedPoints {
  std::vector<std::uint32_t> order;
  std::vector<double> weights;  // by point
  double total = 0.0;

  RankedPoints(std::span<const double> values, std::span<const double> areas_A2) {
    weights.assign(values.size(), 1.0);
    double area_A2 = 0.0;
    for (const double area : areas_A2) area_A2 += area;
    if (area_A2 > 0.0) weights.assign(areas_A2.begin(), areas_A2.end());
    for (std::size_t p = 0; p < values.size(); ++p)
      if (!std::isnan(values[p])) order.push_back(std::uint32_t(p));
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return values[a] < values[b]; });
    for (const std::uint32_t p : order) total += weights[p];
  }

  /// The value that so large a share of the points does not exceed.
  double quantile(std::span<const double> values, double share) const {
    double sum = 0.0;
    for (const std::uint32_t p : order)
      if ((sum += weights[p]) >= share * total) return values[p];
    return values[order.back()];
  }
};

/// Which points belong together: trees whose root is the patch.
class ConnectedPoints {
 public:
  explicit ConnectedPoints(std::size_t points) : parent_(points) {
    std::iota(parent_.begin(), parent_.end(), std::uint32_t{0});
  }
  std::uint32_t root(std::uint32_t point) {
    while (parent_[point] != point) point = parent_[point] = parent_[parent_[point]];
    return point;
  }
  void connect(std::uint32_t a, std::uint32_t b) {
    a = root(a), b = root(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<std::uint32_t> parent_;
};

std::vector<LowPatch> patches_of_surface(const PointSet& points, std::span<const double> values,
                                         const RankedPoints& ranked) {
  const double limit = std::min(0.0, ranked.quantile(values, low_share));
  const auto is_low = [&](std::uint32_t p) { return values[p] <= limit; };  // false for NaN
  ConnectedPoints connected(points.positions_A.size());
  for (const auto& [a, b, c] : points.triangles) {
    if (is_low(a) && is_low(b)) connected.connect(a, b);
    if (is_low(b) && is_low(c)) connected.connect(b, c);
    if (is_low(c) && is_low(a)) connected.connect(c, a);
  }
  std::vector<LowPatch> patches;
  std::vector<std::uint32_t> number(points.positions_A.size(), std::numeric_limits<std::uint32_t>::max());
  for (const std::uint32_t p : ranked.order) {  // so that a patch begins with its lowest point
    if (!is_low(p)) break;
    std::uint32_t& patch = number[connected.root(p)];
    if (patch == std::numeric_limits<std::uint32_t>::max()) {
      patch = std::uint32_t(patches.size());
      patches.push_back({.lowest_point = p, .lowest_kT_e = values[p]});
    }
    LowPatch& of_point = patches[patch];
    of_point.area_A2 += ranked.weights[p];
    of_point.mean_kT_e += ranked.weights[p] * values[p];
    of_point.centre_A = of_point.centre_A + ranked.weights[p] * points.positions_A[p];
  }
  std::stable_sort(patches.begin(), patches.end(),
                   [](const LowPatch& a, const LowPatch& b) { return a.mean_kT_e < b.mean_kT_e; });
  if (patches.size() > most_patches) patches.resize(most_patches);
  for (LowPatch& patch : patches) {
    patch.mean_kT_e /= patch.area_A2;
    patch.centre_A = (1.0 / patch.area_A2) * patch.centre_A;
  }
  return patches;
}

std::vector<LowPatch> lowest_points(const PointSet& points, std::span<const double> values,
                                    const RankedPoints& ranked) {
  std::vector<LowPatch> patches;
  for (const std::uint32_t p : ranked.order) {
    if (patches.size() == most_patches || !(values[p] < 0.0)) break;
    const Vec3<double>& at = points.positions_A[p];
    if (std::any_of(patches.begin(), patches.end(), [&](const LowPatch& patch) {
          return distance_squared(patch.centre_A, at) < apart_A * apart_A;
        }))
      continue;
    patches.push_back({.lowest_point = p, .lowest_kT_e = values[p], .mean_kT_e = values[p], .centre_A = at});
  }
  return patches;
}

void name_nearest_atoms(std::vector<LowPatch>& patches, const PointSet& points, std::span<const Atom> atoms) {
  if (patches.empty() || atoms.empty()) return;
  for (LowPatch& patch : patches) {
    const Vec3<double>& at = points.positions_A[patch.lowest_point];
    const auto nearest = std::min_element(atoms.begin(), atoms.end(), [&](const Atom& a, const Atom& b) {
      return distance_squared(a.position_A, at) < distance_squared(b.position_A, at);
    });
    patch.nearest_atom = describe(*nearest);
  }
}

std::vector<HistogramBin> histogram_of(std::span<const double> values, const RankedPoints& ranked) {
  const double low = ranked.quantile(values, 0.01), high = ranked.quantile(values, 0.99);
  if (!(high > low)) return {{low, high, 1.0}};
  std::vector<HistogramBin> bins;
  const double width = (high - low) / double(histogram_bins);
  for (std::size_t n = 0; n < histogram_bins; ++n)
    bins.push_back({low + width * double(n), low + width * double(n + 1), 0.0});
  for (const std::uint32_t p : ranked.order) {
    const double bin = std::clamp((values[p] - low) / width, 0.0, double(histogram_bins - 1));
    bins[std::size_t(bin)].share += ranked.weights[p] / ranked.total;
  }
  return bins;
}

}  // namespace

PointStatistics point_statistics(const PointSet& points, std::span<const double> values,
                                 std::span<const double> areas_A2, std::span<const Atom> atoms) {
  PointStatistics statistics;
  const RankedPoints ranked(values, areas_A2);
  statistics.valued = std::ssize(ranked.order);
  for (const double area_A2 : areas_A2) statistics.area_A2 += area_A2;
  if (ranked.order.empty() || !(ranked.total > 0.0)) return statistics;
  statistics.lowest_kT_e = values[ranked.order.front()];
  statistics.highest_kT_e = values[ranked.order.back()];
  for (const std::uint32_t p : ranked.order)
    statistics.mean_kT_e += ranked.weights[p] / ranked.total * values[p];
  double square = 0.0;
  for (const std::uint32_t p : ranked.order) {
    const double from_mean = values[p] - statistics.mean_kT_e;
    square += ranked.weights[p] / ranked.total * from_mean * from_mean;
  }
  statistics.deviation_kT_e = std::sqrt(square);
  constexpr double tail = 0.025;
  statistics.typical_kT_e =
      std::max(std::abs(ranked.quantile(values, tail)), std::abs(ranked.quantile(values, 1.0 - tail)));
  statistics.histogram = histogram_of(values, ranked);
  statistics.patches = points.triangles.empty() ? lowest_points(points, values, ranked)
                                                : patches_of_surface(points, values, ranked);
  name_nearest_atoms(statistics.patches, points, atoms);
  return statistics;
}

}  // namespace ionwell
