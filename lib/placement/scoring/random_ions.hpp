// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "core/cell_list.hpp"
#include "placement/place_ions.hpp"
#include "placement/scoring/compare_sites.hpp"

namespace ionwell {

/// Where ions without any knowledge of electrostatics go: what a placement has to beat.
struct RandomIonOptions {
  ExclusionOptions exclusion;
  double farthest_A = 8.0;  // from the nearest atom of the solute
  std::uint64_t seed = 1;
  int draws = 100;  // that an expectation is the mean of
};

/// Random places around a solute, uniform by volume where an ion may be: farther than `ion_solute_A` from all
/// atoms and not farther than `farthest_A` from the nearest. Numbers of std::mt19937_64, the same everywhere.
class RandomIons {
 public:
  /// Throws Error for a solute without atoms, UsageError for a shell without thickness. O(atoms), and a cell
  /// of 4 A edge for each that may have places.
  RandomIons(std::span<const Vec3<double>> solute, const RandomIonOptions& options);

  /// As many ions, each `ion_ion_A` or more from those before it. Throws Error when there is no room.
  std::vector<Vec3<double>> draw(std::int64_t count, std::mt19937_64& random) const;

 private:
  bool is_free(const Vec3<double>& place_A) const;

  std::vector<Vec3<double>> solute_;
  RandomIonOptions options_;
  CellList atoms_;
  Vec3<double> edge_A_;                  // of a cell
  std::vector<Vec3<double>> corners_A_;  // lowest, of the cells that may have places
};

/// Mean number of sites that random ions, as many as in `comparison`, have for their own within each of its
/// distances: fills SitesWithin::at_random. Draw n has the seed `seed` + n, so threads change nothing. Throws
/// Error as RandomIons.
void expect_at_random(SiteComparison& comparison, std::span<const Vec3<double>> sites,
                      const RandomIons& random_ions, const RandomIonOptions& options, int threads = 1);

}  // namespace ionwell
