// SPDX-License-Identifier: BSD-3-Clause
#include "solvation/fill_with_water.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

#include "core/box.hpp"
#include "core/chemistry/composition.hpp"
#include "parallel/parallel_for.hpp"
#include "parallel/thread_count.hpp"
#include "solvation/cavities.hpp"
#include "solvation/relax_waters.hpp"
#include "structures/solute_elements.hpp"

namespace ionwell {
namespace {

/// What one row of tiles gives.
struct Row {
  std::vector<TiledWater> waters;
  std::vector<std::uint32_t> seam, near, outer;  // numbers in `waters`
  std::vector<double> outside_A;                 // of each in `seam`
  std::int64_t seam_tiled = 0;                   // of the cell's, before the solute takes its place
  FillCounts counts;
};

class Filler {
 public:
  Filler(std::span<const Atom> solute, const PeriodicCell& cell, const WaterModel& model, const WaterBox& box,
         const FillOptions& options)
      : solute_(solute),
        cell_(cell),
        options_(options),
        widths_A_(cell.widths_A()),
        tiles_(model, box, cell, options.seam.most_beyond_A),
        surroundings_(solute, cell, options.overlap, options.seam.most_beyond_A) {
    const Vec3<double>& widths = widths_A_;
    const double beyond_A = options.seam.most_beyond_A, depth_A = options.seam.depth_A();
    beyond_ = {beyond_A / widths.x, beyond_A / widths.y, beyond_A / widths.z};
    depth_ = {depth_A / widths.x, depth_A / widths.y, depth_A / widths.z};
  }

  FilledCell run() {
    const Vec3<std::int64_t> counts = tiles_.counts();
    std::vector<Row> rows(std::size_t(counts.y * counts.z));
    parallel_for({.threads = thread_count(options_.threads), .chunk = 1}, std::ssize(rows),
                 [&](std::int64_t row) { rows[std::size_t(row)] = fill_row(row); });
    gather(rows);
    std::vector<std::uint8_t> stays(waters_.size(), 1);
    clear_seam(stays);
    clear_cavities(stays);
    relax_near(stays);
    std::size_t kept = 0;
    for (std::size_t n = 0; n < waters_.size(); ++n)
      if (stays[n]) waters_[kept++] = waters_[n];
    waters_.resize(kept);
    waters_.shrink_to_fit();
    return {{std::move(tiles_), std::move(waters_)}, counts_};
  }

 private:
  /// How a box lies to the cell, in multiples of the cell's vectors.
  struct Range {
    Vec3<double> lowest, highest;
  };
  Range range_of(std::uint32_t tile) const {
    const CellVectors &g = cell_.reciprocal(), e = tiles_.edges();
    const Vec3<double> half = 0.5 * (e.a + e.b + e.c);
    const Vec3<double> middle = cell_.fractional(tiles_.origin_A(tile) + half);
    const auto reach = [&](const Vec3<double>& v) {
      return 0.5 * (std::abs(dot(v, e.a)) + std::abs(dot(v, e.b)) + std::abs(dot(v, e.c)));
    };
    const Vec3<double> extent{reach(g.a), reach(g.b), reach(g.c)};
    return {middle - extent, middle + extent};
  }
  Box box_around(std::uint32_t tile) const {
    const CellVectors e = tiles_.edges();
    const Vec3<double> origin = tiles_.origin_A(tile);
    Box box{origin, origin};
    for (int corner = 1; corner < 8; ++corner)
      box = extended(
          box, origin + double(corner & 1) * e.a + double(corner >> 1 & 1) * e.b + double(corner >> 2) * e.c);
    return box;
  }
  static bool is_within(const Range& range, const Vec3<double>& margin) {
    const auto& [low, high] = range;
    return low.x >= margin.x && high.x < 1 - margin.x && low.y >= margin.y && high.y < 1 - margin.y &&
           low.z >= margin.z && high.z < 1 - margin.z;
  }
  static bool is_outside(const Range& range, const Vec3<double>& margin) {
    const auto& [low, high] = range;
    return high.x < -margin.x || low.x >= 1 + margin.x || high.y < -margin.y || low.y >= 1 + margin.y ||
           high.z < -margin.z || low.z >= 1 + margin.z;
  }

  Row fill_row(std::int64_t number) const {
    Row row;
    const auto nx = std::uint32_t(tiles_.counts().x), molecules = std::uint32_t(tiles_.molecules());
    const auto first = std::uint32_t(number) * nx;
    for (std::uint32_t tile = first; tile < first + nx; ++tile) {
      const Range range = range_of(tile);
      if (is_outside(range, beyond_)) continue;
      if (is_within(range, depth_) && surroundings_.is_far(box_around(tile))) {
        for (std::uint32_t n = 0; n < molecules; ++n) row.waters.push_back({tile, n});
        row.counts.tiled += molecules;
        continue;
      }
      for (std::uint32_t n = 0; n < molecules; ++n) add({tile, n}, row);
    }
    return row;
  }

  void add(const TiledWater& water, Row& row) const {
    const Vec3<double> oxygen = tiles_.oxygen_A(water);
    const Vec3<double> f = cell_.fractional(oxygen);
    if (is_outside({f, f}, beyond_)) return;
    const bool in_cell = is_within({f, f}, {});
    const bool in_seam = !is_within({f, f}, depth_);
    row.counts.tiled += in_cell;
    row.seam_tiled += in_cell && in_seam;
    const Place place = surroundings_.place_of(oxygen);
    if (place == Place::occupied || place == Place::among_tails) {
      row.counts.overlapping += in_cell && place == Place::occupied;
      row.counts.among_tails += in_cell && place == Place::among_tails;
      return;
    }
    const auto at = std::uint32_t(row.waters.size());
    row.waters.push_back(water);
    if (place == Place::near) row.near.push_back(at);
    if (place == Place::outer) row.outer.push_back(at);
    if (!in_seam) return;
    row.seam.push_back(at);
    row.outside_A.push_back(in_cell ? 0.0 : outside_A(f));
  }

  /// How far beyond the farthest face.
  double outside_A(const Vec3<double>& f) const {
    const auto beyond = [](double x, double width_A) { return width_A * std::max(-x, x - 1); };
    return std::max({0.0, beyond(f.x, widths_A_.x), beyond(f.y, widths_A_.y), beyond(f.z, widths_A_.z)});
  }

  void gather(std::vector<Row>& rows) {
    std::size_t count = 0;
    for (const Row& row : rows) count += row.waters.size();
    waters_.reserve(count);
    for (Row& row : rows) {
      const auto first = std::uint64_t(waters_.size());
      waters_.insert(waters_.end(), row.waters.begin(), row.waters.end());
      for (const std::uint32_t n : row.seam) seam_.push_back(first + n);
      for (const std::uint32_t n : row.near) near_.push_back(first + n);
      for (const std::uint32_t n : row.outer) outer_.push_back(first + n);
      outside_A_.insert(outside_A_.end(), row.outside_A.begin(), row.outside_A.end());
      seam_tiled_ += row.seam_tiled;
      counts_.tiled += row.counts.tiled;
      counts_.overlapping += row.counts.overlapping;
      counts_.among_tails += row.counts.among_tails;
      row = {};
    }
  }

  void clear_seam(std::vector<std::uint8_t>& stays) {
    std::vector<SeamWater> candidates;
    std::int64_t inside = 0;
    for (std::size_t n = 0; n < seam_.size(); ++n) {
      const TiledWater& water = waters_[seam_[n]];
      candidates.push_back(
          {tiles_.oxygen_A(water), {tiles_.site_A(water, 1), tiles_.site_A(water, 2)}, outside_A_[n]});
      inside += outside_A_[n] == 0.0;
    }
    if (inside == 0) return;
    // So many are missing in the whole cell; the solute has its share of the seam.
    const double missing = tiles_.waters_per_A3() * cell_.volume_A3() - double(counts_.tiled);
    const double free_part = double(inside) / double(seam_tiled_);
    const auto wanted = inside + std::int64_t(std::llround(free_part * missing));
    constexpr std::int64_t one_in = 2000;  // an error of the density that no simulation sees
    const std::vector<std::uint8_t> kept = seam_without_clashes(
        candidates, cell_, options_.seam, wanted, counts_.tiled / one_in, thread_count(options_.threads));
    for (std::size_t n = 0; n < seam_.size(); ++n) {
      stays[seam_[n]] = kept[n];
      counts_.seam += int(outside_A_[n] == 0.0) - int(kept[n]);
    }
  }

  void clear_cavities(std::vector<std::uint8_t>& stays) {
    NearWaters waters;
    std::vector<std::uint64_t> numbers;
    for (const std::uint64_t n : near_)
      if (stays[n]) {
        numbers.push_back(n);
        waters.near_A.push_back(tiles_.oxygen_A(waters_[n]));
      }
    for (const std::uint64_t n : outer_)
      if (stays[n]) waters.open_A.push_back(tiles_.oxygen_A(waters_[n]));
    for (std::size_t begin = 0; begin < solute_.size();) {
      const Residue residue = residue_at(solute_, begin);
      if (residue.kind == ResidueKind::water)
        for (const Atom& atom : solute_.subspan(begin, residue.end - begin))
          if (element_of(atom) == "O") waters.open_A.push_back(atom.position_A);
      begin = residue.end;
    }
    const std::vector<std::uint8_t> kept =
        waters_outside_small_cavities(waters, cell_, options_.smallest_cavity);
    for (std::size_t n = 0; n < numbers.size(); ++n)
      if (!kept[n]) {
        stays[numbers[n]] = 0;
        ++counts_.in_cavities;
      }
  }

  void relax_near(std::vector<std::uint8_t>& stays) {
    WatersAtSolute at_solute;
    at_solute.beyond_A = options_.seam.most_beyond_A;
    std::vector<std::uint64_t> numbers;
    const auto add = [&](std::uint64_t n) {
      if (!stays[n]) return;
      const TiledWater& water = waters_[n];
      const Vec3<double> oxygen = tiles_.oxygen_A(water);
      at_solute.places.push_back(
          {oxygen, {tiles_.site_A(water, 1) - oxygen, tiles_.site_A(water, 2) - oxygen}});
      numbers.push_back(n);
    };
    for (const std::uint64_t n : near_) add(n);
    at_solute.movable = numbers.size();
    for (const std::uint64_t n : outer_) add(n);
    const std::vector<RelaxedWater> relaxed =
        relax_waters(at_solute, surroundings_, cell_, thread_count(options_.threads));
    for (std::size_t k = 0; k < relaxed.size(); ++k) {
      TiledWater& water = waters_[numbers[k]];
      if (!relaxed[k].fits) {
        stays[numbers[k]] = 0;
        ++counts_.overlapping;
      } else if (relaxed[k].is_moved) {
        water = tiles_.moved(water, relaxed[k].translation_A, relaxed[k].rotation);
      }
    }
  }

  std::span<const Atom> solute_;
  const PeriodicCell& cell_;
  const FillOptions& options_;
  Vec3<double> widths_A_;
  WaterTiles tiles_;
  SoluteSurroundings surroundings_;
  Vec3<double> beyond_, depth_;  // of the seam, in multiples of the cell's vectors
  std::vector<TiledWater> waters_;
  std::vector<std::uint64_t> seam_, near_, outer_;  // numbers of waters
  std::vector<double> outside_A_;                   // of each in seam_
  std::int64_t seam_tiled_ = 0;
  FillCounts counts_;
};

}  // namespace

FilledCell fill_with_water(std::span<const Atom> solute, const PeriodicCell& cell, const WaterModel& model,
                           const WaterBox& box, const FillOptions& options) {
  return Filler(solute, cell, model, box, options).run();
}

}  // namespace ionwell
