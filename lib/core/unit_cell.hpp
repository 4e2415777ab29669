// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "core/vec3.hpp"

namespace ionwell {

/// The vectors of a cell [A], in the frame of the atoms.
struct CellVectors {
  Vec3<double> a, b, c;
};

/// Whether the images of a cell are those of a periodic simulation or of a crystal.
enum class CellKind { undecided, simulation, crystal };

/// The cell of a crystal or of a simulation.
struct UnitCell : CellVectors {
  CellKind kind = CellKind::undecided;
};

/// A cell's size and shape without its orientation.
struct CellParameters {
  Vec3<double> lengths_A;
  Vec3<double> angles_deg{90.0, 90.0, 90.0};  // alpha, beta, gamma
};

/// In the orientation of GROMACS, AMBER and NAMD: a along x, b in the plane of x and y. Throws Error for
/// angles that do not form a cell.
CellVectors cell_vectors(const CellParameters& parameters);

/// A cell of this kind with those vectors. Throws Error for angles that do not form a cell.
UnitCell unit_cell(const CellParameters& parameters, CellKind kind = CellKind::undecided);

/// The same for numbers from a file: nothing if a length is not greater than 0 or the cell has no volume.
std::optional<UnitCell> possible_cell(const CellParameters& parameters, CellKind kind);

/// Whether the vectors are numbers that span a volume: if the volume is less than 1e-6 of the product of the
/// lengths, double precision is not enough. O(1).
bool has_volume(const CellVectors& vectors);

/// Lengths of the vectors. The lengths and angles that a cell was made from are returned bit for bit if they
/// have at most ten decimals.
Vec3<double> lengths_A(const CellVectors& vectors);

/// alpha, beta, gamma; 90 degrees for a cell without a length in some direction.
Vec3<double> angles_deg(const CellVectors& vectors);

}  // namespace ionwell
