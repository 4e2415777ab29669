// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "core/periodic_cell.hpp"
#include "core/structure.hpp"
#include "electrostatics/periodic/mesh_filter.hpp"
#include "electrostatics/periodic/periodic_kernels.hpp"
#include "electrostatics/periodic/periodic_plan.hpp"

namespace ionwell {

/// The smooth part of the potential of all images of charges, on a grid in fractions of the reduced cell, so
/// that every shape is alike: charges are spread over it by a window, their transform is multiplied by that
/// of the smooth part, and the result interpolated by the same window ("spectral Ewald": Lindbo and Tornberg
/// 2011). O((charges + points) width^3 + grid log grid).
class PeriodicMesh {
 public:
  PeriodicMesh(const PeriodicCell& cell, const PeriodicPlan& plan, const PeriodicKernels& kernels,
               int threads);

  /// Adds charges. The order of sums, and with it every bit, does not depend on the number of threads.
  void spread(std::span<const PointCharge> charges);

  /// Turns what was spread into the potential, with prefactor 1.
  void solve();

  /// values[n] = potential at point n.
  void interpolate(std::span<const Vec3<double>> points_A, std::span<double> values) const;

 private:
  struct Sorted;

  /// `count` positions by pencils of the grid, each by neighbourhood.
  template <typename Position>
  Sorted sorted(std::size_t count, const Position& position) const;

  PeriodicCell cell_;  // reduced
  PeriodicPlan plan_;
  MeshWindow window_;
  MeshFilter filter_;
  const PeriodicKernels& kernels_;
  int threads_;
  Vec3<int> pencils_;  // along each axis; 1 along x
  FourierGrid grid_;
};

}  // namespace ionwell
