// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/periodic_cell.hpp"

namespace ionwell {

/// Where tiles that do not fit into a cell a whole number of times meet their images at its faces, molecules
/// of two sides that know nothing of each other come too close. Those just outside of the cell fill the gaps
/// that are left when one of each two goes.
struct SeamRule {
  // The shortest distances between two molecules of a seam, below those in the liquid: were they those, no
  // choice of molecules would reach its density.
  double oxygens_A = 2.35;
  double oxygen_hydrogen_A = 1.45;
  double hydrogens_A = 1.30;
  double usual_beyond_A =
      3.5;  // how far outside they are taken from; more or less where the density asks for it
  double most_beyond_A = 6.0;

  /// How deep in the cell a molecule may be that clashes with one across a face.
  double depth_A() const;
};

/// A molecule near a face, in the place that its tile gives it.
struct SeamWater {
  Vec3<double> oxygen_A, hydrogens_A[2];
  double outside_A = 0.0;  // how far beyond a face of the cell; 0 within
};

/// Which of the molecules stay (1) so that no two that come together only as images are too close, and so
/// that `wanted` stay, or as near to it as can be, within `tolerance`: of those outside as many take part as
/// that needs, the nearest. Molecules with most clashes go first, of equals those farther outside, then the
/// last; whatever still fits comes back. O(candidates).
std::vector<std::uint8_t> seam_without_clashes(std::span<const SeamWater> candidates,
                                               const PeriodicCell& cell, const SeamRule& rule,
                                               std::int64_t wanted, std::int64_t tolerance, int threads);

}  // namespace ionwell
