// SPDX-License-Identifier: BSD-3-Clause
#include "solvation/relax_waters.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <optional>
#include <utility>

#include "core/cell_list.hpp"
#include "core/geometry/cross_product.hpp"
#include "parallel/parallel_for.hpp"
#include "solvation/images_near_cell.hpp"
#include "solvation/rotation.hpp"

namespace ionwell {
namespace {

// Distances from which sites repel each other. Of the solute's atoms parts of the sum of Bondi's radii, short
// of hydrogen bonds (O-O 2.55, O-H 1.75 A), so that these stay.
constexpr double own_oxygen_A = 1.50, own_hydrogen_A = 1.20;
constexpr double oxygen_part = 0.85, hydrogen_part = 0.65;
// Between waters, those of close pairs in the liquid.
constexpr double oxygens_A = 2.45, oxygen_hydrogen_A = 1.50, hydrogens_A = 1.50;

constexpr double shell_depth_A = 0.8;  // beyond its distance a metal ion's first shell ends
constexpr double outwards_within_A = 4.5;
constexpr double outwards_A = 0.2;  // hydrogens of a second shell are farther than its oxygens by this,
constexpr double ligand_outwards_A =
    0.6;  // and those of a first shell; 0.69 where a water's axis passes the ion
constexpr double least_outwards_A = 0.35;    // what a ligand may have of it in the end
constexpr double metal_weight = 2.0;         // against the repulsion of its ligands
constexpr double off_shell_A = 0.15;         // what an oxygen of a first shell may be off its distance
constexpr double ligand_overlap_A = 0.25;    // and how far it may be among the other ligands
constexpr double most_overlap_A = 0.5;       // and any oxygen among the solute's atoms: O-O 2.07 A
constexpr double closest_hydrogen_A = 1.25;  // 1.2 A and what .gro files round

constexpr double farthest_A = 1.2;  // that a water moves
constexpr double most_move_A = 0.25, most_turn_rad = 0.4, at_rest_A = 0.02;
constexpr double step = 0.7;  // of what would end the overlaps one by one
constexpr double bond_A = 1.0;
constexpr int most_steps = 20;

double length(const Vec3<double>& v) {
  return std::sqrt(dot(v, v));
}

/// The rotation by a vector along its axis, of its length [rad].
Quaternion turn(const Vec3<double>& v) {
  const double angle_rad = length(v);
  if (angle_rad == 0.0) return {};
  const double s = std::sin(0.5 * angle_rad) / angle_rad;
  return {std::cos(0.5 * angle_rad), s * v.x, s * v.y, s * v.z};
}

Vec3<double> shortened(const Vec3<double>& v, double longest) {
  const double l = length(v);
  return l > longest ? (longest / l) * v : v;
}

double oxygen_least_A(const SoluteSphere& atom) {
  return oxygen_part * (double(atom.radius_A) + own_oxygen_A);
}

double hydrogen_least_A(const SoluteSphere& atom) {
  return hydrogen_part * (double(atom.radius_A) + own_hydrogen_A);
}

/// What pushes a water.
struct Push {
  Vec3<double> force_A, torque_A2;
  bool is_felt = false;

  void add(const Vec3<double>& displacement_A, const Vec3<double>& lever_A) {
    force_A = force_A + displacement_A;
    torque_A2 = torque_A2 + cross(lever_A, displacement_A);
    is_felt = true;
  }
};

class Relaxation {
 public:
  Relaxation(const WatersAtSolute& waters, const SoluteSurroundings& solute, const PeriodicCell& cell,
             int threads)
      : waters_(waters),
        solute_(solute),
        threads_(threads),
        places_(waters.places),
        turns_(waters.movable),
        woken_(waters.places.size()),
        is_moving_(waters.movable),
        was_pushed_(waters.movable) {
    for (const SoluteSphere& atom : solute.spheres())
      reach_A_ = std::max({reach_A_, oxygen_least_A(atom), hydrogen_least_A(atom) + bond_A,
                           atom.shell_A > 0.0f ? outwards_within_A : 0.0});
    std::vector<Vec3<double>> oxygens;
    oxygens.reserve(places_.size());
    for (const WaterPlace& place : places_) oxygens.push_back(place.oxygen_A);
    const ImagesNearCell images = images_near_cell(oxygens, cell, waters.beyond_A + neighbour_reach_A);
    list_.emplace(images.positions_A, neighbour_cell_A);
    images_.reserve(images.point.size());
    for (const std::uint32_t n : list_->order()) {
      const Vec3<int>& shift = images.shift[n];
      images_.push_back({images.positions_A[n],
                         cell.cartesian_A({double(shift.x), double(shift.y), double(shift.z)}),
                         images.point[n]});
    }
  }

  std::vector<RelaxedWater> run() {
    std::fill_n(woken_.begin(), waters_.movable, std::uint8_t{1});
    std::vector<std::uint32_t> awake;
    std::vector<Push> pushes;
    for (int n = 0; n < most_steps; ++n) {
      awake.clear();
      for (std::uint32_t i = 0; i < waters_.movable; ++i)
        if (std::exchange(woken_[i], 0) != 0) awake.push_back(i);
      if (awake.empty()) break;
      pushes.resize(awake.size());
      parallel_for({threads_, 256}, std::ssize(awake),
                   [&](std::int64_t k) { pushes[std::size_t(k)] = push_on(awake[std::size_t(k)], n > 0); });
      for (std::size_t k = 0; k < awake.size(); ++k) move(awake[k], pushes[k]);
    }
    std::vector<RelaxedWater> relaxed(waters_.movable);
    parallel_for({threads_, 256}, std::ssize(relaxed), [&](std::int64_t k) {
      const auto i = std::size_t(k);
      if (!was_pushed_[i]) return;
      relaxed[i] = {places_[i].oxygen_A - waters_.places[i].oxygen_A, rotation_of(turns_[i]), true,
                    fits(places_[i])};
    });
    return relaxed;
  }

 private:
  /// A water or its image, by where its oxygen was at first.
  struct Image {
    Vec3<double> first_A, offset_A;  // from the water
    std::uint32_t water = 0;
  };

  // Oxygens whose hydrogens touch, and how far the other may have come since the list was made.
  static constexpr double touching_A = hydrogens_A + 2 * bond_A;
  static constexpr double neighbour_reach_A = touching_A + farthest_A;
  static constexpr double neighbour_cell_A = 3.0;

  /// At first none of the waters has moved, and those that the solute does not push stay where they are.
  Push push_on(std::uint32_t i, bool have_moved) {
    Push push;
    const WaterPlace& place = places_[i];
    solute_.near(place.oxygen_A, reach_A_, [&](const SoluteSphere& atom) { push_from(atom, place, push); });
    if (!have_moved && !push.is_felt) return push;
    list_->near_ranges({place.oxygen_A, place.oxygen_A}, neighbour_reach_A,
                       [&](std::size_t first, std::size_t last) {
                         for (std::size_t n = first; n < last; ++n) push_from(images_[n], i, push);
                       });
    return push;
  }

  void push_from(const SoluteSphere& atom, const WaterPlace& place, Push& push) const {
    const Vec3<double> away = place.oxygen_A - atom.position_A;
    const double d2 = dot(away, away);
    if (d2 > reach_A_ * reach_A_ || !(d2 > 0.0) || atom.radius_A == 0.0f) return;
    double least_A = hydrogen_least_A(atom);
    if (atom.shell_A > 0.0f) {
      const double d = std::sqrt(d2), shell_A = double(atom.shell_A);
      if (d < shell_A + shell_depth_A) push.add((metal_weight * (shell_A - d) / d) * away, {});
      const bool is_ligand = d < shell_A + shell_depth_A;
      if (d < outwards_within_A)
        least_A = std::max(d, shell_A) + (is_ligand ? ligand_outwards_A : outwards_A);
    } else {
      repel(away, oxygen_least_A(atom), {}, 1.0, push);
    }
    for (const Vec3<double>& hydrogen : place.hydrogens_A)
      repel(away + hydrogen, least_A, hydrogen, 1.0, push);
  }

  void push_from(const Image& image, std::uint32_t i, Push& push) {
    const std::uint32_t other = image.water;
    const WaterPlace &from = places_[other], &place = places_[i];
    if (other == i || distance_squared(place.oxygen_A, image.first_A) > neighbour_reach_A * neighbour_reach_A)
      return;
    const Vec3<double> away = place.oxygen_A - from.oxygen_A - image.offset_A;
    if (dot(away, away) > touching_A * touching_A) return;
    const bool moves = other < waters_.movable;
    const double share = moves ? 0.5 : 1.0;
    bool touches = repel(away, oxygens_A, {}, share, push);
    for (const Vec3<double>& theirs : from.hydrogens_A)
      touches |= repel(away - theirs, oxygen_hydrogen_A, {}, share, push);
    for (const Vec3<double>& ours : place.hydrogens_A) {
      touches |= repel(away + ours, oxygen_hydrogen_A, ours, share, push);
      for (const Vec3<double>& theirs : from.hydrogens_A)
        touches |= repel(away + ours - theirs, hydrogens_A, ours, share, push);
    }
    if (touches && moves && is_moving_[i]) std::atomic_ref(woken_[other]).store(1, std::memory_order_relaxed);
  }

  /// Whether the distance `away` is below `least_A`.
  static bool repel(const Vec3<double>& away, double least_A, const Vec3<double>& lever_A, double share,
                    Push& push) {
    const double d2 = dot(away, away);
    if (!(d2 < least_A * least_A) || !(d2 > 0.0)) return false;
    push.add((share * (least_A / std::sqrt(d2) - 1.0)) * away, lever_A);
    return true;
  }

  void move(std::uint32_t i, const Push& push) {
    const Vec3<double> translation_A = shortened(step * push.force_A, most_move_A);
    const Vec3<double> rotation_rad = shortened((step / (bond_A * bond_A)) * push.torque_A2, most_turn_rad);
    is_moving_[i] = length(translation_A) >= at_rest_A || length(rotation_rad) * bond_A >= at_rest_A;
    was_pushed_[i] |= push.is_felt;
    if (!is_moving_[i]) return;
    woken_[i] = 1;
    const WaterPlace& first = waters_.places[i];
    const Vec3<double> moved_A = shortened(places_[i].oxygen_A + translation_A - first.oxygen_A, farthest_A);
    places_[i].oxygen_A = first.oxygen_A + moved_A;
    turns_[i] = product(turn(rotation_rad), turns_[i]);
    const Rotation rotation = rotation_of(turns_[i]);
    for (std::size_t h = 0; h < 2; ++h) places_[i].hydrogens_A[h] = rotation(first.hydrogens_A[h]);
  }

  bool fits(const WaterPlace& place) const {
    const Place where = solute_.place_of(place.oxygen_A);
    bool fits = where != Place::occupied && where != Place::among_tails, is_ligand = false;
    double overlap_A = 0.0;  // of the oxygen
    solute_.near(place.oxygen_A, reach_A_, [&](const SoluteSphere& atom) {
      if (atom.radius_A == 0.0f) return;
      const Vec3<double> away = place.oxygen_A - atom.position_A;
      const double d = length(away), shell_A = double(atom.shell_A);
      const bool is_metal = shell_A > 0.0;
      const bool is_of_shell = is_metal && d < shell_A + shell_depth_A;
      if (is_of_shell) {
        is_ligand = true;
        fits &= std::abs(d - shell_A) < off_shell_A;
      } else {
        overlap_A = std::max(overlap_A, oxygen_least_A(atom) - d);
      }
      const double least_A = is_of_shell                         ? d + least_outwards_A
                             : is_metal && d < outwards_within_A ? d
                                                                 : closest_hydrogen_A;
      for (const Vec3<double>& hydrogen : place.hydrogens_A) fits &= length(away + hydrogen) >= least_A;
    });
    return fits && overlap_A <= (is_ligand ? ligand_overlap_A : most_overlap_A);
  }

  const WatersAtSolute& waters_;
  const SoluteSurroundings& solute_;
  double reach_A_ = 0.0;  // of the solute's atoms
  int threads_;
  std::vector<WaterPlace> places_;
  std::vector<Quaternion> turns_;
  std::vector<std::uint8_t> woken_;  // whose neighbours have moved, or they themselves
  std::vector<std::uint8_t> is_moving_, was_pushed_;
  std::optional<CellList> list_;
  std::vector<Image> images_;  // in the order of the list
};

}  // namespace

std::vector<RelaxedWater> relax_waters(const WatersAtSolute& waters, const SoluteSurroundings& solute,
                                       const PeriodicCell& cell, int threads) {
  return Relaxation(waters, solute, cell, threads).run();
}

}  // namespace ionwell
