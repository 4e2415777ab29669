#pragma once

#include "core/structure.hpp"

namespace ionwell {

/// The vectors of a cell [A].
struct CellVectors {
  Vec3<double> a, b, c;
};

/// As GROMACS, AMBER and NAMD lay them: a along x, b in the plane of x and y. Throws Error for angles that
/// make no cell.
CellVectors cell_vectors(const UnitCell& cell);

/// Lengths and angles; those of a cell without a length in some direction are 90 degrees.
UnitCell unit_cell(const CellVectors& vectors);

}  // namespace ionwell
