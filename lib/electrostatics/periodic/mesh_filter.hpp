// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "core/periodic_cell.hpp"
#include "electrostatics/periodic/ewald_split.hpp"
#include "electrostatics/periodic/mesh_window.hpp"

namespace ionwell {

/// The factor of one wave, by its numbers h: see MeshFilter. Usable on both sides, with arrays in the memory
/// of either.
struct MeshFactors {
  EwaldSplit split;
  CellVectors waves_per_A;  // wave vectors of h = 1
  double volume_A3;
  const double *along_x, *along_y, *along_z;  // what the window takes, by |h|

  IONWELL_HD double at(int h_x, int h_y, int h_z) const {
    const Vec3<double> k =
        double(h_x) * waves_per_A.a + double(h_y) * waves_per_A.b + double(h_z) * waves_per_A.c;
    return along_x[h_x] * along_y[h_y < 0 ? -h_y : h_y] * along_z[h_z < 0 ? -h_z : h_z] *
           split.transform(dot(k, k)) / volume_A3;
  }
};

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
  void row(double* to, int h_y, int h_z) const;

  MeshFactors factors() const {
    return {split_, waves_per_A_, volume_A3_, along_x_.data(), along_y_.data(), along_z_.data()};
  }
  std::span<const double> along_x() const { return along_x_; }
  std::span<const double> along_y() const { return along_y_; }
  std::span<const double> along_z() const { return along_z_; }

 private:
  EwaldSplit split_;
  CellVectors waves_per_A_;                          // wave vectors of h = 1
  std::vector<double> along_x_, along_y_, along_z_;  // what the window takes, by |h|
  double volume_A3_;
};

}  // namespace ionwell
