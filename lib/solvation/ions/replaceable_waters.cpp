// SPDX-License-Identifier: BSD-3-Clause
#include "solvation/ions/replaceable_waters.hpp"

#include <algorithm>
#include <functional>
#include <optional>

#include "core/chemistry/composition.hpp"
#include "core/error.hpp"
#include "core/periodic/periodic_cell_list.hpp"
#include "parallel/parallel_for.hpp"
#include "placement/placement_rules.hpp"
#include "structures/selection/selection.hpp"
#include "structures/solute_elements.hpp"

namespace ionwell {
namespace {

/// Positions, to ask how many are near.
class Neighbours {
 public:
  Neighbours(const PeriodicCell& cell, std::span<const Vec3<double>> positions_A, double usual_A)
      : list_(cell, positions_A, std::max(usual_A, 3.0)) {}

  /// How many have a squared distance of at most `limit_A2`; counts to `most`.
  int within(const Vec3<double>& position_A, double limit_A2, int most = 1) const {
    int found = 0;
    list_.near(position_A, std::sqrt(limit_A2),
               [&](std::uint32_t, const Vec3<double>& d) { found += dot(d, d) <= limit_A2; });
    return std::min(found, most);
  }

 private:
  PeriodicCellList list_;
};

/// What the acting atoms are to a water.
struct SolutePositions {
  std::vector<Vec3<double>> heavy, all, ions;  // ions are in neither of the others
};

SolutePositions solute_positions(std::span<const Atom> acting) {
  SolutePositions positions;
  positions.all.reserve(acting.size());
  positions.heavy.reserve(acting.size());
  for (std::size_t begin = 0; begin < acting.size();) {
    const Residue residue = residue_at(acting, begin);
    for (std::size_t i = residue.begin; i < residue.end; ++i) {
      const Vec3<double>& position_A = acting[i].position_A;
      if (residue.kind == ResidueKind::ion) {
        positions.ions.push_back(position_A);
        continue;
      }
      positions.all.push_back(position_A);
      const std::string_view element = element_of(acting[i]);
      if (element != "H" && !element.empty()) positions.heavy.push_back(position_A);
    }
    begin = residue.end;
  }
  return positions;
}

/// The runs of waters that are a crystal's.
std::vector<std::uint8_t> crystal_runs(const std::vector<BoxWater>& waters, std::span<const Atom> atoms,
                                       const Neighbours& heavy, int threads) {
  constexpr double touching_A = 5.0, nearly_all = 0.9;
  std::vector<std::int64_t> touching(std::size_t(waters.back().run) + 1), size(touching.size());
  std::vector<std::uint8_t> touches(waters.size());
  parallel_for({threads, 1024}, std::ssize(waters), [&](std::int64_t w) {
    touches[std::size_t(w)] =
        heavy.within(atoms[waters[std::size_t(w)].oxygen].position_A, touching_A * touching_A) > 0;
  });
  for (std::size_t w = 0; w < waters.size(); ++w) {
    ++size[waters[w].run];
    touching[waters[w].run] += touches[w];
  }
  std::vector<std::uint8_t> is_crystal(size.size());
  bool others = false;
  for (std::size_t run = 0; run < size.size(); ++run) {
    is_crystal[run] = double(touching[run]) >= nearly_all * double(size[run]);
    others = others || !is_crystal[run];
  }
  if (!others) is_crystal.assign(size.size(), 0);
  return is_crystal;
}

/// One --near or --not-near.
struct Region {
  Neighbours atoms;
  double limit_A2;
};

std::vector<Region> regions_of(const std::string& option, const std::vector<std::string>& texts,
                               const SolvatedBox& box) {
  std::vector<Region> regions;
  for (const std::string& text : texts) {
    const NearRegion near = parse_near_region(option, text);
    const std::vector<std::uint8_t> selected = select(box.atoms, near.selection);
    std::vector<Vec3<double>> positions_A;
    for (std::size_t i = 0; i < selected.size(); ++i)
      if (selected[i]) positions_A.push_back(box.atoms[i].position_A);
    if (positions_A.empty())
      fail<UsageError>(option, " '", text, "': no atom is selected; correct the selection");
    regions.push_back({Neighbours(box.cell, positions_A, near.distance_A),
                       near.distance_A * near.distance_A + square_tolerance_A2});
  }
  return regions;
}

bool is_near_any(const std::vector<Region>& regions, const Vec3<double>& position_A) {
  return std::any_of(regions.begin(), regions.end(), [&](const Region& region) {
    return region.atoms.within(position_A, region.limit_A2) > 0;
  });
}

}  // namespace

std::string_view to_string(WaterStays reason) {
  constexpr std::string_view names[] = {
      "replaceable",         "of the crystal",      "in the first shell of the solute",
      "inside the membrane", "outside the region",  "near the solute",
      "near ions",           "around ions at sites"};
  return names[std::size_t(reason)];
}

ReplaceableWaters find_replaceable(const SolvatedBox& box, const BoxOptions& options,
                                   const ExclusionOptions& exclusion, int threads) {
  const WaterChoice& choice = options.choice;
  ReplaceableWaters result{.count = std::vector<std::int64_t>(stay_reasons)};
  const double keep_A2 = choice.keep_water_A * choice.keep_water_A;
  std::optional<Neighbours> heavy, all, ions, tails;  // heavy: where something asks for it
  const std::function<void()> parts[] = {
      [&] { result.waters = find_waters(box.atoms); },
      [&] { result.membrane = find_membrane(box.atoms, box.cell); },
      [&] { tails.emplace(box.cell, lipid_carbons(box.atoms), tail_distance_A); },
      [&] {
        const SolutePositions positions = solute_positions(box.acting);
        all.emplace(box.cell, positions.all, 5.0);
        ions.emplace(box.cell, positions.ions, 5.0);
        if (keep_A2 > 0.0 || !box.first_of_box) heavy.emplace(box.cell, positions.heavy, 5.0);
      }};
  parallel_for({threads, 1}, std::ssize(parts), [&](std::int64_t part) { parts[part](); });
  const std::vector<BoxWater>& waters = result.waters;
  if (waters.empty()) fail("there is no water that an ion could replace; add water with 'ionwell solvate'");
  result.stays.resize(waters.size());
  result.far_from_solute.resize(waters.size());
  if (result.membrane) result.side.resize(waters.size());

  const double salt_A =
      std::max(options.salt.salt_solute_A.value_or(exclusion.ion_solute_A), exclusion.ion_solute_A);
  const std::vector<Region> near = regions_of("--near", choice.near, box),
                            not_near = regions_of("--not-near", choice.not_near, box);
  std::vector<std::uint8_t> is_crystal;  // by run, where nothing else says so
  if (!box.first_of_box) is_crystal = crystal_runs(waters, box.atoms, *heavy, threads);

  const auto reason = [&](std::size_t w) {
    const Vec3<double>& oxygen_A = box.atoms[waters[w].oxygen].position_A;
    if (box.first_of_shells && waters[w].begin >= *box.first_of_shells && waters[w].begin < *box.first_of_box)
      return WaterStays::shell;
    const bool of_crystal =
        box.first_of_box ? waters[w].begin < *box.first_of_box : is_crystal[waters[w].run] != 0;
    if (of_crystal && !choice.replace_crystal_waters) return WaterStays::crystal;
    if (keep_A2 > 0.0 && heavy->within(oxygen_A, keep_A2) > 0) return WaterStays::first_shell;
    if (!choice.in_membrane &&
        ((result.membrane && result.membrane->is_inside(oxygen_A)) ||
         tails->within(oxygen_A, tail_distance_A * tail_distance_A, tail_carbons) == tail_carbons))
      return WaterStays::membrane;
    const auto& z = choice.inside_z;
    if ((!near.empty() && !is_near_any(near, oxygen_A)) || is_near_any(not_near, oxygen_A) ||
        (z && !(oxygen_A.z >= z->from_A && oxygen_A.z <= z->to_A)))
      return WaterStays::region;
    if (all->within(oxygen_A, solute_limit_A2(exclusion.ion_solute_A)) > 0) return WaterStays::near_solute;
    if (ions->within(oxygen_A, ion_limit_A2(exclusion.ion_ion_A)) > 0) return WaterStays::near_ion;
    return WaterStays::replaceable;
  };
  parallel_for({threads, 1024}, std::ssize(waters), [&](std::int64_t n) {
    const auto w = std::size_t(n);
    const Vec3<double>& oxygen_A = box.atoms[waters[w].oxygen].position_A;
    result.stays[w] = reason(w);
    if (result.membrane) result.side[w] = result.membrane->side(oxygen_A);
    result.far_from_solute[w] =
        salt_A == exclusion.ion_solute_A || all->within(oxygen_A, solute_limit_A2(salt_A)) == 0;
  });
  for (const WaterStays stays : result.stays) ++result.count[std::size_t(stays)];
  return result;
}

}  // namespace ionwell
