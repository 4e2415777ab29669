// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/periodic_cell.hpp"

namespace ionwell {

/// The angles of AMBER's truncated octahedron [degrees], to the digits that its programs compare: acos(-1/3).
constexpr double amber_octahedron_deg = 109.4712190;

/// A cell as AMBER's programs lay it. A truncated octahedron has three obtuse angles there, where GROMACS has
/// acute ones among them: the vectors of the same lattice with other signs, turned so that the first lies
/// along x and the second in the plane of x and y. All other cells stay as they are.
class AmberCell {
 public:
  /// Throws Error for a cell that is none.
  explicit AmberCell(const UnitCell& cell);

  const UnitCell& cell() const { return cell_; }
  bool is_rectangular() const;

  /// Whether positions have to be turned with the cell.
  bool is_turned() const { return is_turned_; }

  /// A position in the cell as AMBER lays it.
  Vec3<double> turned(const Vec3<double>& position_A) const;

 private:
  UnitCell cell_;
  PeriodicCell from_;  // by the vectors of `cell_`, as they lay before
  bool is_turned_ = false;
};

}  // namespace ionwell
