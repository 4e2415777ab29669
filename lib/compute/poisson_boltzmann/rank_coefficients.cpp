// SPDX-License-Identifier: BSD-3-Clause
#include "compute/poisson_boltzmann/rank_coefficients.hpp"

#include <algorithm>
#include <array>

#include "compute/poisson_boltzmann/plane_exchange.hpp"
#include "core/large_array.hpp"
#include "electrostatics/poisson_boltzmann/model/sample_tile.hpp"
#include "parallel/parallel_for.hpp"

namespace ionwell {
namespace {

/// What an atom costs beside the points around it, in points: it has a part of the surface. By a profile of
/// `map 1gid.pqr --pb own --spacing 0.5`: 50 microseconds an atom, 10 to 15 nanoseconds a point.
constexpr double atom_points = 3000.0;

constexpr std::size_t coefficient_arrays = 4;

std::array<float*, coefficient_arrays> coefficient_arrays_of(const PbCoefficients& values) {
  return {values.eps_x, values.eps_y, values.eps_z, values.accessibility};
}

/// work(row of an array, and where its points are among the values of the tiles) for each row of some tiles.
template <typename Work>
void for_tile_rows(std::span<const PointBox> tiles, const PbCoefficients& values, int threads,
                   const Work& work) {
  std::vector<std::size_t> begins{0};
  for (const PointBox& tile : tiles)
    begins.push_back(begins.back() + coefficient_arrays * std::size_t(size_of(tile)));
  parallel_for({threads, 1}, std::ssize(tiles), [&](std::int64_t n) {
    const PointBox& tile = tiles[std::size_t(n)];
    const std::size_t length = std::size_t(counts_of(tile).x);
    std::size_t at = begins[std::size_t(n)];
    for (float* const array : coefficient_arrays_of(values))
      for (std::int64_t k = tile.low.z; k <= tile.high.z; ++k)
        for (std::int64_t j = tile.low.y; j <= tile.high.y; ++j, at += length)
          work(std::span(array + values.index(tile.low.x, j, k), length), at);
  });
}

/// What both have of some tiles, from one to the other.
void copy_tiles(std::span<const PointBox> tiles, const PbCoefficients& from, const PbCoefficients& to,
                int threads) {
  parallel_for({threads, 1}, std::ssize(tiles), [&](std::int64_t n) {
    const PointBox& tile = tiles[std::size_t(n)];
    for (std::size_t array = 0; array < coefficient_arrays; ++array)
      for (std::int64_t k = tile.low.z; k <= tile.high.z; ++k)
        for (std::int64_t j = tile.low.y; j <= tile.high.y; ++j)
          std::copy_n(coefficient_arrays_of(from)[array] + from.index(tile.low.x, j, k), counts_of(tile).x,
                      coefficient_arrays_of(to)[array] + to.index(tile.low.x, j, k));
  });
}

std::size_t values_in(std::span<const PointBox> tiles) {
  std::size_t size = 0;
  for (const PointBox& tile : tiles) size += coefficient_arrays * std::size_t(size_of(tile));
  return size;
}

std::span<const PointBox> tiles_of_rank(const std::vector<PointBox>& tiles,
                                        const std::vector<std::size_t>& parts, int rank) {
  const std::size_t first = parts[std::size_t(rank)];
  return std::span(tiles).subspan(first, parts[std::size_t(rank) + 1] - first);
}

/// What of some tiles lies in these planes.
std::vector<PointBox> tiles_in(std::span<const PointBox> tiles, const PlaneSpan& planes) {
  std::vector<PointBox> parts;
  for (PointBox tile : tiles) {
    tile.low.z = std::max(tile.low.z, std::int64_t(planes.begin));
    tile.high.z = std::min(tile.high.z, std::int64_t(planes.end) - 1);
    if (!is_empty(tile)) parts.push_back(tile);
  }
  return parts;
}

/// Memory for the coefficients of some tiles in the order of the lattice: that of all planes that they lie
/// in.
class ComputedTiles {
 public:
  ComputedTiles(const LatticeGeometry& lattice, std::span<const PointBox> tiles) {
    values_.lattice = lattice;
    if (tiles.empty()) return;
    values_.first_plane = tiles.front().low.z;
    values_.planes = tiles.back().high.z + 1 - values_.first_plane;
    const std::size_t size = std::size_t(lattice.index(0, 0, values_.planes));
    memory_ = LargeArray<float>(coefficient_arrays * size);
    values_.eps_x = memory_.data();
    values_.eps_y = values_.eps_x + size;
    values_.eps_z = values_.eps_y + size;
    values_.accessibility = values_.eps_z + size;
  }

  const PbCoefficients& values() const { return values_; }

 private:
  PbCoefficients values_;
  LargeArray<float> memory_;
};

void set_rank_tiles(const DielectricOptions& dielectric, const AccessibilityOptions& accessibility,
                    std::span<const Atom> atoms, std::span<const PointBox> tiles, int threads,
                    const PbCoefficients& to) {
  const PointBox all = all_points(to.lattice);
  set_dielectric(dielectric, atoms, all, tiles, threads, to);
  set_accessibility(accessibility, dielectric, atoms, all, tiles, threads, to);
}

}  // namespace

std::vector<std::size_t> tiles_of_ranks(const LatticeGeometry& lattice, std::span<const Atom> atoms,
                                        int ranks) {
  const std::vector<PointBox> tiles = tiles_of(all_points(lattice));
  std::vector<double> work;
  for (const PointBox& tile : tiles) work.push_back(double(size_of(tile)));
  const Vec3<std::int64_t> size = counts_of(tiles.front()), n = lattice.counts;
  const Vec3<std::int64_t> along{(n.x - 1) / size.x + 1, (n.y - 1) / size.y + 1, (n.z - 1) / size.z + 1};
  const auto tile_at = [](double x_A, double origin_A, double spacing_A, std::int64_t edge,
                          std::int64_t count) {
    const double tile = (x_A - origin_A) / spacing_A / double(edge);
    return std::int64_t(std::clamp(tile, 0.0, double(count - 1)));
  };
  const Vec3<double>&origin = lattice.origin_A, &h = lattice.spacing_A;
  for (const Atom& atom : atoms) {
    const Vec3<double>& at = atom.position_A;
    work[std::size_t(tile_at(at.x, origin.x, h.x, size.x, along.x) +
                     along.x * (tile_at(at.y, origin.y, h.y, size.y, along.y) +
                                along.y * tile_at(at.z, origin.z, h.z, size.z, along.z)))] += atom_points;
  }
  double all = 0.0;
  for (const double of_tile : work) all += of_tile;
  std::vector<std::size_t> parts{0};
  double so_far = 0.0;
  for (std::size_t tile = 0; tile < tiles.size(); ++tile) {
    while (std::ssize(parts) < ranks && so_far + 0.5 * work[tile] > all * double(parts.size()) / ranks)
      parts.push_back(tile);
    so_far += work[tile];
  }
  parts.resize(std::size_t(ranks) + 1, tiles.size());
  return parts;
}

void set_coefficients(RankGroup& group, std::span<const LevelPlanes> planes, const PbModelOptions& options,
                      std::span<const Atom> atoms, int threads, PbSystem* slab) {
  const LatticeGeometry whole = slab->lattice.whole();
  const std::vector<PointBox> tiles = tiles_of(all_points(whole));
  const std::vector<std::size_t> parts = tiles_of_ranks(whole, atoms, group.count());
  const PlanesOfRanks wanted = all_planes(planes);
  const auto tiles_for = [&](int from, int to) {
    return tiles_in(tiles_of_rank(tiles, parts, from), wanted[std::size_t(to)]);
  };
  const int me = group.rank();
  const PbCoefficients to = coefficients_of(*slab);
  std::vector<LargeArray<float>> sent(wanted.size()), received(wanted.size());
  all_or_none(group, [&] {
    const std::span<const PointBox> mine = tiles_of_rank(tiles, parts, me);
    const ComputedTiles computed(whole, mine);
    set_rank_tiles(options.dielectric, options.accessibility, atoms, mine, threads, computed.values());
    copy_tiles(tiles_for(me, me), computed.values(), to, threads);
    for (int other = 0; other < group.count(); ++other) {
      if (other == me) continue;
      const std::vector<PointBox> theirs = tiles_for(me, other);
      LargeArray<float>& values = sent[std::size_t(other)];
      values = LargeArray<float>(values_in(theirs));
      for_tile_rows(theirs, computed.values(), threads, [&](std::span<const float> row, std::size_t at) {
        std::copy(row.begin(), row.end(), values.data() + at);
      });
    }
  });
  all_or_none(group, [&] {
    for (int other = 0; other < group.count(); ++other)
      if (other != me) received[std::size_t(other)] = LargeArray<float>(values_in(tiles_for(other, me)));
  });
  std::vector<RankMessage> messages_sent, messages_received;
  const auto add = [](std::vector<RankMessage>& messages, int other, LargeArray<float>& values) {
    if (values.size() > 0)
      messages.push_back({other, std::as_writable_bytes(std::span(values.data(), values.size()))});
  };
  for (int other = 0; other < group.count(); ++other) {
    add(messages_sent, other, sent[std::size_t(other)]);
    add(messages_received, other, received[std::size_t(other)]);
  }
  group.exchange(messages_sent, messages_received);
  for (int other = 0; other < group.count(); ++other)
    if (other != me)
      for_tile_rows(tiles_for(other, me), to, threads, [&](std::span<float> row, std::size_t at) {
        std::copy_n(received[std::size_t(other)].data() + at, row.size(), row.begin());
      });
}

}  // namespace ionwell
