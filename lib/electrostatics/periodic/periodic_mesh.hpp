#pragma once

#include <functional>
#include <span>
#include <vector>

#include "core/periodic_cell.hpp"
#include "core/structure.hpp"
#include "electrostatics/periodic/periodic_kernels.hpp"
#include "electrostatics/periodic/periodic_plan.hpp"

namespace ionwell {

/// The factors that turn spread charges into the smooth part of their potential, by wave vector: its
/// transform over the cell's volume and the window's transform, squared. See FourierGrid::filter.
class MeshFilter {
 public:
  MeshFilter(const PeriodicCell& cell, const PeriodicPlan& plan);

  /// Those of h_x = 0 to points / 2. The highest wave, of an unclear direction, is left out.
  void row(double* factors, int h_y, int h_z) const;

 private:
  EwaldSplit split_;
  Vec3<int> points_;
  CellVectors waves_per_A_;                          // wave vectors of h = 1
  std::vector<double> along_x_, along_y_, along_z_;  // 1 / transform^2, by |h|
  double volume_A3_;
};

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

  template <typename Use>
  void with_patch(const Vec3<double>& position_A, const Use& use) const;

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
