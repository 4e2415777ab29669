// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/unit_cell.hpp"

namespace ionwell {

/// Cells whose images fill space. Vectors as GROMACS lays them (manual, "Periodic boundary conditions"): the
/// rhombic dodecahedron of size d has a square of d in the plane of x and y, the truncated octahedron of size
/// d its first vector between opposite hexagons; a hexagonal prism stands along z.
enum class CellShape { cube, rectangular, dodecahedron, octahedron, hexagonal };

std::string_view to_string(CellShape shape);

/// A pair of opposite faces: the solute must leave `padding` on both sides between them.
struct FacePair {
  Vec3<double> normal;  // a unit vector
  int size = 0;         // which of the sizes of the shape decides the distance between the two
  double distance = 1;  // between them, for a size of 1
};

/// Those that decide the sizes of the shape: together they bound the points nearer to the middle of the cell
/// than to that of any image.
std::span<const FacePair> face_pairs(CellShape shape);

/// A cube, a dodecahedron and an octahedron have one size, the prism two (the hexagon's and the height), a
/// rectangular cell three.
struct CellSizes {
  double A[3] = {0.0, 0.0, 0.0};
};

CellVectors cell_of(CellShape shape, const CellSizes& sizes);

double volume_A3(CellShape shape, const CellSizes& sizes);

/// The smallest sizes at which points that reach so far along each face's normal (in the order of
/// face_pairs), and their images, are 2 * padding_A apart: along some face's normal there are 2 * padding_A
/// between them.
CellSizes sizes_around(CellShape shape, std::span<const double> extents_A, double padding_A);

}  // namespace ionwell
