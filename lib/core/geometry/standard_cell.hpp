// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>

#include "core/geometry/rotation.hpp"
#include "core/unit_cell.hpp"

namespace ionwell {

/// A cell in the orientation that lengths and angles alone stand for: a along x, b in the plane of x and y,
/// and right-handed. Formats that have no room for vectors mean this one, and the atoms have to be rotated
/// with it.
class StandardCell {
 public:
  explicit StandardCell(const UnitCell& cell);

  /// The given one where it lies so already, with all its digits.
  const UnitCell& cell() const { return cell_; }

  /// Whether it lay otherwise.
  bool is_rotated() const { return is_rotated_; }

  /// What takes the atoms there.
  const Rotation& rotation() const { return rotation_; }

 private:
  UnitCell cell_;
  Rotation rotation_;
  bool is_rotated_ = false;
};

/// The cell for a file that has room for lengths and angles only, and whose atoms stay where they are: none
/// where it lies otherwise.
std::optional<UnitCell> if_standard(const std::optional<UnitCell>& cell);

}  // namespace ionwell
