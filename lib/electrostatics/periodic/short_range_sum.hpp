// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>

#include "core/periodic/periodic_cell_list.hpp"
#include "core/structure.hpp"
#include "electrostatics/periodic/ewald_split.hpp"
#include "electrostatics/periodic/periodic_kernels.hpp"

namespace ionwell {

/// Edge of the cells that points are sorted into: small enough that those of a sphere of the cutoff are
/// hardly more than it, large enough for a number of points together.
double short_range_cell_A(const PeriodicCell& cell, double cutoff_A, std::size_t points, double together);

/// The short-range part of a split up to a cutoff as a polynomial, to 1e-13 of what it is without the power
/// of r; see ShortPolynomial.
ShortPolynomial short_polynomial(const EwaldSplit& split, double cutoff_A);

/// The short-range part of the potential of charges and all their images, at points: pairs within a cutoff,
/// which may be longer than the cell. The points are taken by small cells, so that neighbours share the
/// search for charges. O(charges + points + pairs).
class ShortRangeSum {
 public:
  ShortRangeSum(const PeriodicCell& cell, const EwaldSplit& split, double cutoff_A,
                std::span<const PointCharge> charges, std::span<const Vec3<double>> points_A);

  /// Groups of points: all must be summed.
  std::int64_t groups() const { return points_.grid().size(); }

  /// values[n] += short-range potential at the points n of some groups, with prefactor 1. Groups can be
  /// summed at the same time.
  void add(std::int64_t first_group, std::int64_t last_group, const PeriodicKernels& kernels,
           std::span<double> values) const;

 private:
  double correction(const std::vector<ChargeRun>& runs, const Vec3<double>& point_A) const;

  EwaldSplit split_;
  double cutoff_A_;
  ShortPolynomial polynomial_;
  PeriodicCellList charges_, points_;
  std::vector<double> x_A_, y_A_, z_A_, charge_e_;  // in the order of charges_
};

}  // namespace ionwell
