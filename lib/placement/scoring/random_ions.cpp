// SPDX-License-Identifier: BSD-3-Clause
#include "placement/scoring/random_ions.hpp"

#include <cmath>

#include "core/error.hpp"
#include "core/text/count_text.hpp"
#include "parallel/parallel_for.hpp"
#include "placement/placement_rules.hpp"

namespace ionwell {
namespace {

constexpr double cell_A = 4.0;                // about half a shell: a third of the tries are of use
constexpr std::int64_t most_tries = 100'000;  // for one ion, before there is no room for it

/// Uniform in [0, 1), of the 53 bits that a double holds: std::uniform_real_distribution may differ by
/// system.
double uniform(std::mt19937_64& random) {
  return double(random() >> 11U) * 0x1p-53;
}

}  // namespace

RandomIons::RandomIons(std::span<const Vec3<double>> solute, const RandomIonOptions& options)
    : solute_(solute.begin(), solute.end()), options_(options), atoms_(solute_, options.farthest_A) {
  if (solute_.empty())
    fail("the structure has no atoms to place random ions around; give a structure with atoms");
  if (!(options_.farthest_A > options_.exclusion.ion_solute_A))
    fail<UsageError>("random ions within ", options_.farthest_A, " A of the solute and more than ",
                     options_.exclusion.ion_solute_A, " A from it have no room; use a thicker shell");
  Box around{solute_.front(), solute_.front()};
  for (const Vec3<double>& atom : solute_) around = extended(around, atom);
  const double reach_A = options_.farthest_A;
  const Vec3<double> margin{reach_A, reach_A, reach_A};
  const std::vector<Vec3<double>> ends = {around.lowest_A - margin, around.highest_A + margin};
  const CellGrid cells = cells_around(ends, cell_A);
  std::vector<std::uint8_t> has_places(std::size_t(cells.size()), 0);
  for (const Vec3<double>& atom : solute_) {
    const CellRange range = cells.within({atom, atom}, reach_A);
    for (std::int64_t k = range.first.z; k <= range.last.z; ++k)
      for (std::int64_t j = range.first.y; j <= range.last.y; ++j)
        for (std::int64_t i = range.first.x; i <= range.last.x; ++i)
          has_places[std::size_t(cell_number(cells.counts, {i, j, k}))] = 1;
  }
  edge_A_ = cells.edge_A;
  corners_A_.reserve(has_places.size());
  for (std::int64_t k = 0; k < cells.counts.z; ++k)
    for (std::int64_t j = 0; j < cells.counts.y; ++j)
      for (std::int64_t i = 0; i < cells.counts.x; ++i)
        if (has_places[std::size_t(cell_number(cells.counts, {i, j, k}))] != 0)
          corners_A_.push_back(cells.box.lowest_A + Vec3<double>{edge_A_.x * double(i), edge_A_.y * double(j),
                                                                 edge_A_.z * double(k)});
}

bool RandomIons::is_free(const Vec3<double>& place_A) const {
  const double least_A2 = options_.exclusion.ion_solute_A * options_.exclusion.ion_solute_A;
  const double most_A2 = options_.farthest_A * options_.farthest_A;
  bool is_clear = true, is_near = false;
  atoms_.near({place_A, place_A}, options_.farthest_A, [&](std::uint32_t n) {
    const double d2_A2 = distance_squared(solute_[n], place_A);
    is_clear = is_clear && d2_A2 > least_A2;
    is_near = is_near || d2_A2 <= most_A2;
  });
  return is_clear && is_near;
}

std::vector<Vec3<double>> RandomIons::draw(std::int64_t count, std::mt19937_64& random) const {
  const double apart_A2 = options_.exclusion.ion_ion_A * options_.exclusion.ion_ion_A - square_tolerance_A2;
  std::vector<Vec3<double>> ions;
  ions.reserve(std::size_t(count));
  const auto has_room = [&](const Vec3<double>& place_A) {
    for (const Vec3<double>& ion : ions)
      if (distance_squared(ion, place_A) < apart_A2) return false;
    return is_free(place_A);
  };
  for (std::int64_t n = 0; n < count; ++n) {
    std::int64_t tries = 0;
    for (bool is_placed = false; !is_placed;) {
      if (++tries > most_tries)
        fail("random ions found room for ", n, " of ", count_of(count, "ion"),
             " around the structure; compare fewer ions, or leave the random expectation out");
      const Vec3<double>& corner_A = corners_A_[std::size_t(uniform(random) * double(corners_A_.size()))];
      // One after the other: the order in which a call's arguments are computed is the compiler's.
      const double x_A = edge_A_.x * uniform(random);
      const double y_A = edge_A_.y * uniform(random);
      const double z_A = edge_A_.z * uniform(random);
      const Vec3<double> place_A = corner_A + Vec3<double>{x_A, y_A, z_A};
      is_placed = has_room(place_A);
      if (is_placed) ions.push_back(place_A);
    }
  }
  return ions;
}

void expect_at_random(SiteComparison& comparison, std::span<const Vec3<double>> sites,
                      const RandomIons& random_ions, const RandomIonOptions& options, int threads) {
  CompareOptions same;
  same.distances_A.clear();
  same.distances_A.reserve(comparison.within.size());
  for (const SitesWithin& row : comparison.within) same.distances_A.push_back(row.distance_A);
  std::vector<std::vector<SitesWithin>> draws(std::size_t(options.draws));
  parallel_for({threads, 1}, options.draws, [&](std::int64_t n) {
    std::mt19937_64 random(options.seed + std::uint64_t(n));
    draws[std::size_t(n)] = compare_sites(random_ions.draw(comparison.ions, random), sites, same).within;
  });
  for (std::size_t row = 0; row < comparison.within.size(); ++row) {
    std::int64_t matched = 0;
    for (const auto& draw : draws) matched += draw[row].matched;
    comparison.within[row].at_random = double(matched) / double(options.draws);
  }
}

}  // namespace ionwell
