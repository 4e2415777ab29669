// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "core/instruction_set.hpp"
#include "core/periodic_cell.hpp"
#include "electrostatics/pair_potential.hpp"
#include "electrostatics/periodic/fourier_grid.hpp"
#include "electrostatics/periodic/mesh_window.hpp"
#include "electrostatics/periodic/periodic_kernels.hpp"
#include "electrostatics/periodic/short_table.hpp"

namespace ionwell {

struct PeriodicPairOptions {
  double tolerance =
      1e-10;        // of what a unit charge does at 4 A, or halfway to its image where that is nearer
  int threads = 0;  // while it is prepared
  SimdLevel simd = SimdLevel::automatic;
};

/// The potential psi(d) of one unit charge with all its images and its background (see EwaldSplit), at any
/// difference of positions: the short-range part of the images within a cutoff, and the smooth part from a
/// grid over the cell. For ions that are added one by one: Sum q psi(point - ion). Reading it from several
/// threads is safe.
class PeriodicPair {
 public:
  /// Takes some 10 ms. Throws Error where the cell is so flat that its grid takes more than 4 GB.
  PeriodicPair(const PeriodicCell& cell, const PairPotential& pair, const PeriodicPairOptions& options = {});

  /// [kT/e for each e]. A distance below smallest_distance_A counts as that. 0.5 microseconds with the usual
  /// tolerance, as many grid points that are weighted take, and half of that with 1e-6 (one busy core, AVX2).
  double at(const Vec3<double>& difference_A) const;

  /// What a unit charge feels of its own images and its background [kT/e]: psi(d) less the pair potential, at
  /// d = 0. The potential at an ion's place that other charges make has psi summed over them; reported
  /// energies leave this one out, for it is the same wherever the ion is.
  double of_own_images_kT_e() const { return own_images_kT_e_; }

  const PeriodicCell& cell() const { return cell_; }
  const PairPotential& pair() const { return pair_; }

  /// Expected error of `at` [kT/e].
  double error_kT_e() const { return error_kT_e_; }

  std::int64_t bytes() const { return FourierGrid::bytes(grid_.layout()); }

 private:
  struct Plan;
  static Plan planned(const PeriodicCell& cell, const PairPotential& pair, double error);
  PeriodicPair(const PeriodicCell& cell, const PairPotential& pair, const PeriodicPairOptions& options,
               const Plan& plan);

  double smooth(const Vec3<double>& fraction) const;

  PeriodicCell cell_;
  PairPotential pair_;
  EwaldSplit split_;
  CellVectors reduced_, reciprocal_;    // of the reduced cell
  std::vector<Vec3<double>> shifts_A_;  // of images that a difference in [0, 1)^3 of the cell may be near
  ShortTable short_;
  MeshWindow window_;
  const PeriodicKernels& kernels_;
  FourierGrid grid_;
  double mean_ = 0.0, own_images_kT_e_ = 0.0, error_kT_e_ = 0.0;
};

}  // namespace ionwell
