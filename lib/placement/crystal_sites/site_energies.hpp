// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "core/cell_list.hpp"
#include "electrostatics/pair_potential.hpp"
#include "lattice/host_store.hpp"
#include "parallel/progress.hpp"
#include "placement/crystal_sites/site_model.hpp"

namespace ionwell {

/// How ions act on each other, and the solute's charges on an ion [kT/e].
PairPotential pair_potential_of(const SiteModel& model);

/// So many Debye lengths; without salt farther than any structure reaches, but finite.
double debye_lengths_A(const PairPotential& pair, double lengths);

/// From here on ions do not act on each other any more: 1e-11 of what they would.
inline double screened_out_A(const PairPotential& pair) {
  return debye_lengths_A(pair, 25.0);
}

/// Positions of the atoms of these classes, and all charges that are not 0.
std::vector<Vec3<double>> positions_of(std::span<const SiteAtom> atoms, SiteAtomClasses classes);
std::vector<PointCharge> charges_of(std::span<const SiteAtom> atoms);

struct SiteFieldOptions {
  bool multilevel = true;  // the sum over charges, otherwise pair by pair
  SimdLevel simd = SimdLevel::automatic;
  int threads = 1;
};

/// The energy E of SiteModel [kT] on a lattice in blocks, available where a site can be: no nearer to a heavy
/// atom than the model allows, and within its cutoff of one. In fp32; a multilevel sum has its own error.
/// O(points near heavy atoms * atoms within the cutoff). Throws what `progress` throws.
std::unique_ptr<HostStore> site_energies(const LatticeGeometry& lattice, const SiteModel& model,
                                         std::span<const SiteAtom> atoms, const SiteFieldOptions& options,
                                         const Progress& progress);

/// The same at single points, in fp64, whether or not a site can be there; charges that are 18 Debye lengths
/// away, 2e-8 of what they would be, are left out.
class SiteEnergy {
 public:
  /// `model` must outlive it.
  SiteEnergy(const SiteModel& model, std::span<const SiteAtom> atoms);

  /// [kT]; O(atoms within that).
  double at(const Vec3<double>& point_A) const;

 private:
  const SiteModel& model_;
  static constexpr double most_debye_lengths = 18.0;

  PairPotential pair_;
  std::vector<SiteAtom> atoms_;  // cell by cell
  double far_A_;
  CellList cells_;
};

}  // namespace ionwell
