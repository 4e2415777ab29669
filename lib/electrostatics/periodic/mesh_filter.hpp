#pragma once

#include <vector>

#include "core/periodic_cell.hpp"
#include "electrostatics/periodic/ewald_split.hpp"
#include "electrostatics/periodic/mesh_window.hpp"

namespace ionwell {

/// The factors that turn charges on a grid into the smooth part of their potential, by wave vector: its
/// transform over the cell's volume, and over the window's for each time that one is used. See
/// FourierGrid::filter.
class MeshFilter {
 public:
  enum class Use { interpolated, spread_and_interpolated };

  /// `cell` is reduced; `points` are those of the grid along its vectors.
  MeshFilter(const PeriodicCell& cell, const EwaldSplit& split, const Vec3<int>& points,
             const KaiserBessel& window, Use use);

  /// Those of h_x = 0 to points / 2. The highest wave, of an unclear direction, is left out.
  void row(double* factors, int h_y, int h_z) const;

 private:
  EwaldSplit split_;
  CellVectors waves_per_A_;                          // wave vectors of h = 1
  std::vector<double> along_x_, along_y_, along_z_;  // what the window takes, by |h|
  double volume_A3_;
};

}  // namespace ionwell
