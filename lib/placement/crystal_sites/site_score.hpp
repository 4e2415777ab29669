// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include "lattice/host_store.hpp"
#include "parallel/progress.hpp"
#include "placement/crystal_sites/basins.hpp"
#include "placement/crystal_sites/boosted_trees.hpp"
#include "placement/crystal_sites/site_atom.hpp"

namespace ionwell {

/// A learned score: the log-odds that a crystal has an ion at a point, from SiteFeatures. It takes the place
/// of -E at the points where the terms' F is lowest, so that F is made of it once more.
struct SiteScore {
  BoostedTrees trees;
  double points_per_heavy_atom = 7.0;  // that get a score

  /// How likely an ion that was placed is near a site of the crystal, by its F [kT], fitted to ions placed
  /// around structures that the trees did not know: 1 / (1 + exp(-(intercept + slope F))).
  double intercept = 0.0, slope = 0.0;

  /// Share of a crystal's sites that ions of this probability or more find within 3 A, as measured around
  /// structures that the trees did not know; probabilities rise. May be empty.
  struct Recall {
    double probability, share;
  };
  std::vector<Recall> recall;

  /// The share at a probability, between two of `recall` by a line; nothing beyond them.
  std::optional<double> recall_at(double probability) const;

  double probability(double basin_kT) const {
    return 1.0 / (1.0 + std::exp(-(intercept + slope * basin_kT)));
  }
};

/// What a fit learns from: features of the points as SiteFeatures has them, feature f of point p at
/// [f * points + p].
struct ScoredPoints {
  std::vector<Vec3<double>> positions_A;
  std::vector<float> features;
};

/// Puts minus the log-odds in the place of the energies at `points`, and takes all other points away. Throws
/// what `progress` throws.
void score_sites(HostStore& energies, const BasinPoints& points, const SiteScore& score,
                 std::span<const SiteAtom> atoms, SimdLevel simd, int threads, const Progress& progress);

/// The features of the same points, in their order.
ScoredPoints features_of(const HostStore& energies, const BasinPoints& points,
                         std::span<const SiteAtom> atoms, SimdLevel simd, int threads);

/// So many points get a score.
std::int64_t scored_points(const SiteScore& score, std::span<const SiteAtom> atoms);

}  // namespace ionwell
