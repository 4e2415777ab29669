// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "compute/backend.hpp"
#include "compute/ranks/rank_messages.hpp"
#include "placement/field.hpp"

namespace ionwell {

/// A rank's planes of a lattice, on whatever that rank computes: what each of them does of a run, the first
/// too. It may have no planes at all.
class RankSlab {
 public:
  RankSlab(const BackendChoice& backend, const LatticeGeometry& slab, const PairPotential& pair,
           const FieldOptions& options);

  const LatticeGeometry& lattice() const { return slab_; }

  /// What it is computed on, for reports.
  const std::string& computed_on() const { return computed_on_; }

  void exclude(std::span<const Vec3<double>> centres, double distance_A);

  /// What `potential` refers to must outlive this; of a map the values are those of the slab.
  void fill(const SolutePotential& potential, const Progress& progress);

  /// The lowest point here, with its index in the whole lattice.
  RankReply search(double charge_e);

  /// tie_kT of the field, at a point of the whole lattice that is in this slab.
  double exact_tie_kT(double charge_e, std::int64_t index);

  void add_ion(const PointCharge& ion, double distance_A);
  void copy_values(std::span<float> values);

  /// Nothing of a slab that has no planes.
  FieldStatistics statistics() const;

 private:
  std::int64_t first_index() const { return slab_.index(0, 0, slab_.first_plane); }

  LatticeGeometry slab_;
  std::string computed_on_;
  std::unique_ptr<MaskedLattice> masked_;  // until it is filled
  std::unique_ptr<PotentialField> field_;  // then
};

}  // namespace ionwell
