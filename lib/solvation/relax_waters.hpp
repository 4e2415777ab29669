// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/geometry/rotation.hpp"
#include "core/periodic_cell.hpp"
#include "solvation/solute_surroundings.hpp"

namespace ionwell {

/// A water as its neighbours meet it.
struct WaterPlace {
  Vec3<double> oxygen_A;
  std::array<Vec3<double>, 2> hydrogens_A;  // from the oxygen
};

/// Waters at a solute, in the places that their tiles give them.
struct WatersAtSolute {
  std::vector<WaterPlace> places;
  std::size_t movable = 0;  // the first so many may move; the others, farther from the solute, do not
  double beyond_A = 0.0;    // how far outside of the cell an oxygen may be
};

/// What became of a water.
struct RelaxedWater {
  Vec3<double> translation_A;
  Rotation rotation;  // about its oxygen
  bool is_moved = false;
  bool fits = true;  // false: no place for it was found
};

/// Moves and turns waters that are too close to atoms of the solute, as rigid molecules down the gradient of
/// a soft repulsion, from the solute and from each other, and waters in the first shell of a metal ion to the
/// distance of that shell, with their hydrogens outwards. A water does not fit where a hydrogen stays within
/// 1.2 A of a solute atom, its oxygen within the rule of SoluteSurroundings, or in the first shell of a metal
/// ion at another distance. Of the movable ones, in their order; the same for any number of threads.
/// O(waters).
std::vector<RelaxedWater> relax_waters(const WatersAtSolute& waters, const SoluteSurroundings& solute,
                                       const PeriodicCell& cell, int threads);

}  // namespace ionwell
