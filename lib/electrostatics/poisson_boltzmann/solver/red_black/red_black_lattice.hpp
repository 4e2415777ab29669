// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "electrostatics/poisson_boltzmann/solver/pb_sweeps.hpp"

namespace ionwell {

/// The points of one colour of a lattice, one after the other: those of row (j, k) have the indices 2 m +
/// offset. All neighbours of a point are of the other colour, those along y and z at its own m, those along x
/// at m + offset - 1 and m + offset. Rows of both colours are equally long; where nx is odd one of them has a
/// number more than points.
struct RedBlackLattice {
  int nx = 0, ny = 0, nz = 0;  // of the lattice

  int row_stride() const { return (nx + 1) / 2; }
  std::int64_t plane_stride() const { return std::int64_t(row_stride()) * ny; }
  std::int64_t size() const { return plane_stride() * nz; }

  int offset(PointColour colour, int j, int k) const { return (j + k + (colour == PointColour::odd)) % 2; }

  /// The inner points of a row: first <= m < last.
  int first(int offset) const { return 1 - offset; }
  int last(int offset) const { return offset == 0 ? nx / 2 : (nx - 1) / 2; }
};

/// Three planes of a half lattice, one after the other.
struct RedBlackPlanes {
  const float *below, *here, *above;
};

/// A symmetric matrix 1 - B of a whole lattice, where B joins points with their neighbours and has no
/// diagonal: A, its rows and columns divided by the roots of its diagonal. Faces as in PbLevel, by the colour
/// of the lower point; those of given points are 0.
struct RedBlackMatrix {
  RedBlackLattice lattice;
  const float *face_x[2] = {}, *face_y[2] = {}, *face_z[2] = {};
  const float* root[2] = {};  // of the diagonal, by colour; of points that have one
};

}  // namespace ionwell
