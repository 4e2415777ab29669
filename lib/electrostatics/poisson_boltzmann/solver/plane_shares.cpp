// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/poisson_boltzmann/solver/plane_shares.hpp"

#include <algorithm>

namespace ionwell {
namespace {

using Coarsenings = std::vector<std::array<AxisCoarsening, 3>>;

/// What an exchange between processes takes, in points that are worked at meanwhile. An estimate, for the
/// processes of one machine: some 20 microseconds.
constexpr double exchange_points = 2000.0;

/// Points of each level, and how many planes they are in.
struct LevelSize {
  double plane_points;
  int planes;

  double points() const { return plane_points * planes; }
};

std::vector<LevelSize> level_sizes(const Vec3<std::int64_t>& counts, const Coarsenings& coarsenings) {
  std::vector<LevelSize> sizes{{double(counts.x * counts.y), int(counts.z)}};
  for (const auto& axes : coarsenings)
    sizes.push_back({double(axes[0].coarse) * axes[1].coarse, axes[2].coarse});
  return sizes;
}

/// The finest `levels` levels shared. Whole planes of the first level that all have are dealt out, with those
/// that become them.
PlaneShares share_levels(const std::vector<LevelSize>& sizes, const Coarsenings& coarsenings,
                         std::size_t levels, int processes) {
  std::vector<int> fine_planes(levels + 1, 1);  // of level n, that one of the level that all have stands for
  for (std::size_t n = levels; n-- > 0;)
    fine_planes[n] = fine_planes[n + 1] * (coarsenings[n][2].halved ? 2 : 1);
  const int units = sizes[0].planes / fine_planes[0];
  int least = 1;
  for (std::size_t n = 0; n < levels; ++n)
    least = std::max(least, (most_ghosts(n) + fine_planes[n] - 1) / fine_planes[n]);
  const int sharing = std::min(processes, units / least);
  if (sharing < 2) return {};
  PlaneShares shares;
  double waiting = 0.0;
  for (std::size_t n = 0; n <= levels; ++n) {
    std::vector<PlaneSpan>& own = shares.own.emplace_back(std::size_t(processes));
    int most = 0;
    for (int process = 0; process < sharing; ++process) {
      PlaneSpan& range = own[std::size_t(process)];
      range.begin = fine_planes[n] * int(std::int64_t(units) * process / sharing);
      range.end = process + 1 == sharing
                      ? sizes[n].planes
                      : fine_planes[n] * int(std::int64_t(units) * (process + 1) / sharing);
      most = std::max(most, range.count());
    }
    constexpr int exchanges_a_level = 2, exchanges_beside = 5;  // sums, orders, the level that all have
    waiting += exchange_points * (n == levels ? exchanges_beside : exchanges_a_level);
    if (n < levels) shares.work += sizes[n].plane_points * (most + most_ghosts(n));
  }
  for (std::size_t n = levels; n < sizes.size(); ++n) shares.work += sizes[n].points();
  shares.work += waiting;
  for (const LevelSize& size : sizes) shares.work_alone += size.points();
  return shares;
}

}  // namespace

PlaneShares share_planes(const Vec3<std::int64_t>& counts, const Coarsenings& coarsenings, int processes) {
  const std::vector<LevelSize> sizes = level_sizes(counts, coarsenings);
  PlaneShares best;
  if (processes < 2) return best;
  constexpr std::size_t most_shared = 4;  // levels: of what is left one has a 4096th of the points
  for (std::size_t levels = 1; levels <= std::min(most_shared, coarsenings.size()); ++levels) {
    PlaneShares shares = share_levels(sizes, coarsenings, levels, processes);
    if (shares.own.empty()) break;
    if (best.own.empty() || shares.work < best.work) best = std::move(shares);
  }
  return best;
}

}  // namespace ionwell
