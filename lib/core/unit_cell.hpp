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

/// As GROMACS, AMBER and NAMD lay them: a along x, b in the plane of x and y. Throws Error for angles that
/// make no cell.
CellVectors cell_vectors(const CellParameters& parameters);

/// Those vectors as a cell of this kind. Throws Error for angles that make no cell.
UnitCell unit_cell(const CellParameters& parameters, CellKind kind = CellKind::undecided);

/// The same for numbers from a file: nothing where a length is not above 0, or where they make no cell that
/// has a volume.
std::optional<UnitCell> possible_cell(const CellParameters& parameters, CellKind kind);

/// Whether the vectors are numbers that span a volume: flatter than 1e-6 of the product of their lengths,
/// nothing can be computed of it in double precision. O(1).
bool has_volume(const CellVectors& vectors);

/// Lengths of the vectors. Those that a cell was made from come back to the last bit if they have at most ten
/// decimals, and so do the angles.
Vec3<double> lengths_A(const CellVectors& vectors);

/// alpha, beta, gamma; 90 degrees for a cell without a length in some direction.
Vec3<double> angles_deg(const CellVectors& vectors);

}  // namespace ionwell
