// SPDX-License-Identifier: BSD-3-Clause
#include "solvation/seam.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <queue>
#include <tuple>
#include <utility>

#include "core/cell_list.hpp"
#include "parallel/parallel_for.hpp"
#include "solvation/images_near_cell.hpp"

namespace ionwell {
namespace {

constexpr double longest_bond_A = 1.0;  // of any model's hydrogens

bool clash(const SeamWater& a, const SeamWater& b, const Vec3<double>& moved_b, const SeamRule& rule) {
  const auto nearer = [](const Vec3<double>& p, const Vec3<double>& q, double distance_A) {
    return distance_squared(p, q) < distance_A * distance_A;
  };
  const Vec3<double> oxygen = b.oxygen_A + moved_b;
  if (nearer(a.oxygen_A, oxygen, rule.oxygens_A)) return true;
  for (const Vec3<double>& ha : a.hydrogens_A) {
    if (nearer(ha, oxygen, rule.oxygen_hydrogen_A)) return true;
    for (const Vec3<double>& hb : b.hydrogens_A)
      if (nearer(ha, hb + moved_b, rule.hydrogens_A)) return true;
  }
  for (const Vec3<double>& hb : b.hydrogens_A)
    if (nearer(a.oxygen_A, hb + moved_b, rule.oxygen_hydrogen_A)) return true;
  return false;
}

/// For each candidate those that it clashes with.
std::vector<std::vector<std::uint32_t>> clashes_of(std::span<const SeamWater> candidates,
                                                   const PeriodicCell& cell, const SeamRule& rule,
                                                   int threads) {
  std::vector<Vec3<double>> oxygens;
  for (const SeamWater& water : candidates) oxygens.push_back(water.oxygen_A);
  const double reach_A = rule.depth_A() - rule.most_beyond_A;
  const ImagesNearCell images = images_near_cell(oxygens, cell, reach_A);
  const CellList list(images.positions_A, reach_A);
  std::vector<std::vector<std::uint32_t>> clashes(candidates.size());
  parallel_for({threads, 256}, std::ssize(candidates), [&](std::int64_t n) {
    const auto a = std::uint32_t(n);
    const Vec3<double>& p = images.positions_A[a];
    list.near({p, p}, reach_A, [&](std::uint32_t image) {
      const std::uint32_t b = images.point[image];
      const Vec3<int> shift = images.shift[image] - images.shift[a];
      // Without a shift they are neighbours in the liquid, whatever their distance.
      if (b == a || shift == Vec3<int>{} ||
          distance_squared(p, images.positions_A[image]) > reach_A * reach_A)
        return;
      const Vec3<double> moved = cell.cartesian_A({double(shift.x), double(shift.y), double(shift.z)});
      if (clash(candidates[a], candidates[b], moved, rule)) clashes[a].push_back(b);
    });
    std::sort(clashes[a].begin(), clashes[a].end());
    clashes[a].erase(std::unique(clashes[a].begin(), clashes[a].end()), clashes[a].end());
  });
  return clashes;
}

/// What stays of the candidates up to `beyond_A` outside of the cell.
std::vector<std::uint8_t> without_clashes(std::span<const SeamWater> candidates,
                                          const std::vector<std::vector<std::uint32_t>>& clashes,
                                          double beyond_A) {
  std::vector<std::uint8_t> takes_part(candidates.size());
  for (std::size_t n = 0; n < candidates.size(); ++n) takes_part[n] = candidates[n].outside_A <= beyond_A;
  std::vector<std::uint8_t> stays = takes_part;
  std::vector<std::size_t> left(candidates.size());  // clashes with those that stay
  using Entry = std::tuple<std::size_t, double, std::uint32_t>;
  std::priority_queue<Entry> queue;
  for (std::uint32_t n = 0; n < candidates.size(); ++n) {
    if (!stays[n]) continue;
    for (const std::uint32_t other : clashes[n]) left[n] += takes_part[other];
    if (left[n] > 0) queue.emplace(left[n], candidates[n].outside_A, n);
  }
  while (!queue.empty()) {
    const auto [count, outside_A, n] = queue.top();
    queue.pop();
    if (!stays[n] || left[n] == 0) continue;
    if (left[n] < count) {  // out of date
      queue.emplace(left[n], outside_A, n);
      continue;
    }
    stays[n] = 0;
    for (const std::uint32_t other : clashes[n]) --left[other];
  }
  for (std::uint32_t n = 0; n < candidates.size(); ++n)
    if (takes_part[n] && !stays[n])
      stays[n] = std::none_of(clashes[n].begin(), clashes[n].end(),
                              [&](std::uint32_t other) { return stays[other] != 0; });
  return stays;
}

}  // namespace

double SeamRule::depth_A() const {
  const double contact_A =
      std::max({oxygens_A, oxygen_hydrogen_A + longest_bond_A, hydrogens_A + 2 * longest_bond_A});
  return contact_A + most_beyond_A;
}

std::vector<std::uint8_t> seam_without_clashes(std::span<const SeamWater> candidates,
                                               const PeriodicCell& cell, const SeamRule& rule,
                                               std::int64_t wanted, std::int64_t tolerance, int threads) {
  const std::vector<std::vector<std::uint32_t>> clashes = clashes_of(candidates, cell, rule, threads);
  std::vector<std::uint8_t> best;
  std::int64_t best_off = 0;
  double least_A = 0.0, most_A = rule.most_beyond_A, beyond_A = rule.usual_beyond_A;
  constexpr int trials = 8;
  for (int trial = 0; trial < trials; ++trial, beyond_A = 0.5 * (least_A + most_A)) {
    std::vector<std::uint8_t> stays = without_clashes(candidates, clashes, beyond_A);
    const std::int64_t count = std::count(stays.begin(), stays.end(), 1), off = std::abs(count - wanted);
    if (best.empty() || off < best_off) best = std::move(stays), best_off = off;
    if (best_off <= tolerance) break;
    (count < wanted ? least_A : most_A) = beyond_A;
  }
  return best;
}

}  // namespace ionwell
