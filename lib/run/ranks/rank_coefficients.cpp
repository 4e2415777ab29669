#include "run/ranks/rank_coefficients.hpp"

#include <algorithm>
#include <array>

#include "core/large_array.hpp"
#include "electrostatics/poisson_boltzmann/model/sample_tile.hpp"
#include "parallel/parallel_for.hpp"
#include "run/ranks/rank_shares.hpp"

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

void set_rank_tiles(const DielectricOptions& dielectric, const AccessibilityOptions& accessibility,
                    std::span<const Atom> atoms, std::span<const PointBox> tiles, int threads,
                    const PbCoefficients& to) {
  const PointBox all = all_points(to.lattice);
  set_dielectric(dielectric, atoms, all, tiles, threads, to);
  set_accessibility(accessibility, atoms, all, tiles, threads, to);
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

void set_coefficients(RankOrders& orders, const PbModelOptions& options, std::span<const Atom> atoms,
                      int threads, PbSystem* system) {
  RankGroup& group = orders.group();
  MessageWriter message;
  message << system->lattice << options.dielectric << options.accessibility << threads << atoms;
  const std::vector<PointBox> tiles = tiles_of(all_points(system->lattice));
  const std::vector<std::size_t> parts = tiles_of_ranks(system->lattice, atoms, group.count());
  std::size_t most = 0;
  for (int rank = 1; rank < group.count(); ++rank)
    most = std::max(most, values_in(tiles_of_rank(tiles, parts, rank)));
  LargeArray<float> received(most);
  const PbCoefficients to = coefficients_of(*system);
  orders.give({.task = RankTask::set_coefficients}, message.bytes());
  orders.together([&] {
    set_rank_tiles(options.dielectric, options.accessibility, atoms, tiles_of_rank(tiles, parts, 0), threads,
                   to);
  });
  orders.give({.task = RankTask::send_values});
  for (int rank = 1; rank < group.count(); ++rank) {
    const std::span<const PointBox> theirs = tiles_of_rank(tiles, parts, rank);
    group.receive(std::as_writable_bytes(std::span(received.data(), values_in(theirs))), rank);
    for_tile_rows(theirs, to, threads, [&](std::span<float> row, std::size_t at) {
      std::copy_n(received.data() + at, row.size(), row.begin());
    });
  }
}

std::vector<float> own_coefficients(MessageReader message, const RankGroup& group) {
  PbCoefficients to{.lattice = message.value<LatticeGeometry>()};
  const auto dielectric = message.value<DielectricOptions>();
  const auto accessibility = message.value<AccessibilityOptions>();
  const int threads = own_threads(message.value<int>());
  const std::vector<Atom> atoms = message.values<Atom>();
  const std::vector<PointBox> all = tiles_of(all_points(to.lattice));
  const std::span<const PointBox> tiles =
      tiles_of_rank(all, tiles_of_ranks(to.lattice, atoms, group.count()), group.rank());
  std::vector<float> values(values_in(tiles));
  if (tiles.empty()) return values;
  // Their planes, which are computed in the order of the lattice.
  const std::int64_t first = tiles.front().low.z, planes = tiles.back().high.z + 1 - first;
  to.first = to.lattice.index(0, 0, first);
  const std::size_t size = std::size_t(to.lattice.index(0, 0, planes));
  LargeArray<float> computed(coefficient_arrays * size);
  to.eps_x = computed.data();
  to.eps_y = to.eps_x + size;
  to.eps_z = to.eps_y + size;
  to.accessibility = to.eps_z + size;
  set_rank_tiles(dielectric, accessibility, atoms, tiles, threads, to);
  for_tile_rows(tiles, to, threads, [&](std::span<const float> row, std::size_t at) {
    std::copy(row.begin(), row.end(), values.begin() + std::ptrdiff_t(at));
  });
  return values;
}

}  // namespace ionwell
