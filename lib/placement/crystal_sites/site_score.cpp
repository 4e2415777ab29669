// SPDX-License-Identifier: BSD-3-Clause
#include "placement/crystal_sites/site_score.hpp"

#include <algorithm>
#include <atomic>
#include <thread>

#include "parallel/parallel_for.hpp"
#include "placement/crystal_sites/site_features.hpp"

namespace ionwell {
namespace {

/// Points of one block: number p of the block, and which of all points it is.
struct BlockPoint {
  std::int64_t block;
  int point;
  std::uint32_t number;
  float basin_kT;
};

std::vector<BlockPoint> by_block(const BlockGrid& grid, const BasinPoints& points) {
  std::vector<BlockPoint> sorted(points.index.size());
  for (std::size_t n = 0; n < sorted.size(); ++n) {
    const Vec3<std::int64_t> p = grid.lattice.point(points.index[n]);
    const std::int64_t block =
        p.x / block_edge + grid.counts.x * (p.y / block_edge + grid.counts.y * (p.z / block_edge));
    sorted[n] = {block,
                 int(p.x % block_edge + block_edge * (p.y % block_edge + block_edge * (p.z % block_edge))),
                 std::uint32_t(n), float(points.basin_kT[n])};
  }
  std::sort(sorted.begin(), sorted.end(), [](const BlockPoint& a, const BlockPoint& b) {
    return a.block != b.block ? a.block < b.block : a.point < b.point;
  });
  return sorted;
}

std::vector<std::int32_t> slots_of(const HostStore& store) {
  std::vector<std::int32_t> slots(std::size_t(store.grid().size()), -1);
  for (std::size_t slot = 0; slot < store.size(); ++slot)
    slots[std::size_t(store.number(slot))] = std::int32_t(slot);
  return slots;
}

/// Calls visit(slot, points, features) for the points of each block that has some, in parallel; features as
/// SiteFeatures::of gives them.
template <typename Visit>
void for_each_block(const HostStore& energies, const std::vector<BlockPoint>& points,
                    std::span<const SiteAtom> atoms, SimdLevel simd, int threads, const Progress& progress,
                    const Visit& visit) {
  const SiteFeatures site_features(atoms, simd);
  const BlockGrid& grid = energies.grid();
  const std::vector<std::int32_t> slots = slots_of(energies);
  std::vector<std::size_t> first;
  for (std::size_t n = 0; n < points.size(); ++n)
    if (n == 0 || points[n].block != points[n - 1].block) first.push_back(n);
  first.push_back(points.size());
  std::atomic<std::size_t> done{0};
  const auto caller = std::this_thread::get_id();
  parallel_ranges({threads, 16}, std::ssize(first) - 1, [&](std::int64_t from, std::int64_t to) {
    std::vector<Vec3<double>> positions_A;
    std::vector<float> energies_kT, basins_kT, features;
    for (std::int64_t b = from; b < to; ++b) {
      const std::span<const BlockPoint> of_block =
          std::span(points).subspan(first[std::size_t(b)], first[std::size_t(b) + 1] - first[std::size_t(b)]);
      const auto slot = std::size_t(slots[std::size_t(of_block.front().block)]);
      positions_A.clear();
      energies_kT.clear();
      basins_kT.clear();
      for (const BlockPoint& point : of_block) {
        positions_A.push_back(grid.lattice.position_A(grid.lattice_index(point.block, point.point)));
        energies_kT.push_back(energies.values(slot)[point.point]);
        basins_kT.push_back(point.basin_kT);
      }
      site_features.of(positions_A, energies_kT, basins_kT, &features);
      visit(slot, of_block, features);
    }
    done += std::size_t(to - from);
    if (progress && std::this_thread::get_id() == caller) progress(double(done) / double(first.size() - 1));
  });
}

}  // namespace

std::optional<double> SiteScore::recall_at(double probability) const {
  for (std::size_t n = 1; n < recall.size(); ++n) {
    const Recall &low = recall[n - 1], &high = recall[n];
    if (probability < low.probability || probability > high.probability) continue;
    const double part = (probability - low.probability) / (high.probability - low.probability);
    return low.share + part * (high.share - low.share);
  }
  return {};
}

std::int64_t scored_points(const SiteScore& score, std::span<const SiteAtom> atoms) {
  const auto heavy =
      std::count_if(atoms.begin(), atoms.end(), [](const SiteAtom& atom) { return is_heavy(atom.kind); });
  return std::int64_t(std::ceil(score.points_per_heavy_atom * double(heavy)));
}

void score_sites(HostStore& energies, const BasinPoints& points, const SiteScore& score,
                 std::span<const SiteAtom> atoms, SimdLevel simd, int threads, const Progress& progress) {
  const std::vector<BlockPoint> sorted = by_block(energies.grid(), points);
  std::vector<std::uint8_t> scored(energies.size(), 0);
  for_each_block(
      energies, sorted, atoms, simd, threads, progress,
      [&](std::size_t slot, std::span<const BlockPoint> of_block, const std::vector<float>& features) {
        double log_odds[block_points];
        score.trees.sum(features.data(), of_block.size(), simd, log_odds);
        std::uint64_t bits[mask_words] = {};
        for (std::size_t n = 0; n < of_block.size(); ++n) {
          const int p = of_block[n].point;
          energies.values(slot)[p] = float(-log_odds[n]);
          bits[p / 64] |= std::uint64_t(1) << (p % 64);
        }
        energies.mask().keep(of_block.front().block, bits);
        scored[slot] = 1;
      });
  constexpr std::uint64_t none[mask_words] = {};
  for (std::size_t slot = 0; slot < energies.size(); ++slot)
    if (scored[slot] == 0) energies.mask().keep(energies.number(slot), none);
}

ScoredPoints features_of(const HostStore& energies, const BasinPoints& points,
                         std::span<const SiteAtom> atoms, SimdLevel simd, int threads) {
  const LatticeGeometry& lattice = energies.grid().lattice;
  const std::size_t count = points.index.size();
  ScoredPoints scored;
  scored.positions_A.reserve(count);
  for (const std::int64_t index : points.index) scored.positions_A.push_back(lattice.position_A(index));
  scored.features.resize(site_feature_count * count);
  for_each_block(energies, by_block(energies.grid(), points), atoms, simd, threads, {},
                 [&](std::size_t, std::span<const BlockPoint> of_block, const std::vector<float>& features) {
                   for (std::size_t f = 0; f < std::size_t(site_feature_count); ++f)
                     for (std::size_t n = 0; n < of_block.size(); ++n)
                       scored.features[f * count + of_block[n].number] = features[f * of_block.size() + n];
                 });
  return scored;
}

}  // namespace ionwell
