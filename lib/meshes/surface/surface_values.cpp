// SPDX-License-Identifier: BSD-3-Clause
#include "meshes/surface/surface_values.hpp"

#include <algorithm>
#include <cmath>

#include "core/cell_list.hpp"
#include "electrostatics/poisson_boltzmann/model/sample_tile.hpp"
#include "electrostatics/poisson_boltzmann/model/solvent_excluded.hpp"
#include "meshes/surface/gaussian_density.hpp"
#include "parallel/parallel_for.hpp"

namespace ionwell {
namespace {

/// Fills in the values of a lattice tile by tile, from several threads: make_fill() gives each thread a
/// fill(tile, store), which calls store(i, j, k, value) for each position of the tile.
template <typename MakeFill>
void fill_tiles(const LatticeGeometry& lattice, double shift, int threads, const Progress& progress,
                LargeArray<float>& values, const MakeFill& make_fill) {
  const std::vector<PointBox> tiles = tiles_of(all_points(lattice));
  constexpr std::size_t at_once = 256;  // tiles between two calls of `progress`
  for (std::size_t begin = 0; begin < tiles.size(); begin += at_once) {
    if (progress) progress(double(begin) / double(tiles.size()));
    parallel_ranges(
        {threads, 1}, std::int64_t(std::min(at_once, tiles.size() - begin)),
        [&](std::int64_t first, std::int64_t last) {
          auto fill = make_fill();
          for (std::int64_t t = first; t < last; ++t) {
            const PointBox& range = tiles[begin + std::size_t(t)];
            const SampleTile tile(lattice, range, {shift, shift, shift});
            fill(tile, [&](int i, int j, int k, float value) {
              values[std::size_t(lattice.index(range.low.x + i, range.low.y + j, range.low.z + k))] = value;
            });
          }
        });
  }
}

/// Calls set(i, j, k) for each position of a tile.
template <typename Set>
void for_each_position(const SampleTile& tile, const Set& set) {
  for (int k = 0; k < tile.counts.z; ++k)
    for (int j = 0; j < tile.counts.y; ++j)
      for (int i = 0; i < tile.counts.x; ++i) set(i, j, k);
}

/// Logarithms of a sum of Gaussians, tile by tile.
class GaussianTile {
 public:
  GaussianTile(std::span<const Ball> balls, const CellList& list, double reach_A)
      : balls_(balls), list_(list), reach_A_(reach_A) {}

  template <typename Store>
  void operator()(const SampleTile& tile, const Store& store) {
    sums_.assign(std::size_t(tile.size()), 0.0f);
    list_.near(tile.box(), reach_A_, [&](std::uint32_t n) {
      const Vec3<float> centre = tile.local_A(balls_[n].centre_A);
      const auto radius = float(balls_[n].radius_A);
      const float steepness = blobbiness / (radius * radius);
      tile.rows_within(centre, float(gaussian_reach) * radius,
                       [&](int first, int i0, int i1, float y, float z) {
                         const float yz = (y - centre.y) * (y - centre.y) + (z - centre.z) * (z - centre.z);
                         for (int i = i0; i <= i1; ++i) {
                           const float x = tile.spacing_A.x * float(i) - centre.x;
                           sums_[std::size_t(first + i)] += std::exp(blobbiness - steepness * (x * x + yz));
                         }
                       });
    });
    for_each_position(tile, [&](int i, int j, int k) {
      // Of one atom: R - d in units of R.
      const float sum = sums_[std::size_t(tile.index(i, j, k))];
      constexpr float nothing = 1e-12f;
      const float from_middle = 1.0f - std::log(std::max(sum, nothing)) / blobbiness;
      store(i, j, k, 1.0f - std::sqrt(std::max(from_middle, 0.0f)));
    });
  }

 private:
  static constexpr auto blobbiness = float(gaussian_blobbiness);

  std::span<const Ball> balls_;
  const CellList& list_;
  double reach_A_;
  std::vector<float> sums_;
};

}  // namespace

SurfaceValues surface_values(std::span<const Atom> atoms, const SurfaceOptions& options,
                             const LatticeGeometry& lattice, const Progress& progress) {
  BodyCentredValues values{lattice, LargeArray<float>(std::size_t(lattice.size())),
                           LargeArray<float>(std::size_t(lattice.size()))};
  const auto fill_both = [&](const auto& make_fill) {
    fill_tiles(lattice, 0.0, options.threads, progress, values.corners, make_fill);
    fill_tiles(lattice, 0.5, options.threads, progress, values.centres, make_fill);
  };
  if (options.kind == SurfaceKind::gaussian) {
    const std::vector<Ball> balls = balls_of(atoms, 0.0);
    const std::vector<Vec3<double>> centres_A = centres_of(balls);
    constexpr double cell_A = 4.0;
    const CellList list(centres_A, cell_A);
    const double reach_A = gaussian_reach * largest_radius_A(balls);
    fill_both([&] { return GaussianTile(balls, list, reach_A); });
    return {std::move(values), nullptr};
  }
  const double probe_A = options.kind == SurfaceKind::ses ? options.probe_A : 0.0;
  const double added_A = options.kind == SurfaceKind::vdw ? 0.0 : options.probe_A;
  Box region = extents_of(lattice, all_points(lattice));
  region.highest_A = region.highest_A + 0.5 * lattice.spacing_A;
  constexpr double a_little_more = 1.01;
  auto surface = std::make_unique<const SolventExcluded>(
      balls_of(atoms, added_A), probe_A, region, a_little_more * lattice.spacing_A.x, options.threads);
  fill_both([&] {
    return
        [&surface, samples = SolventExcluded::Samples()](const SampleTile& tile, const auto& store) mutable {
          samples.fill(*surface, tile);
          for_each_position(
              tile, [&](int i, int j, int k) { store(i, j, k, samples.distance_A(tile.index(i, j, k))); });
        };
  });
  return {std::move(values), std::move(surface)};
}

}  // namespace ionwell
