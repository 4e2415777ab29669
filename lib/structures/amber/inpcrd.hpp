// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

#include "structures/coordinates.hpp"

namespace ionwell {

/// AMBER coordinates or an ASCII restart file (inpcrd, rst7, crd): a title, the number of atoms with or
/// without a time, x, y, z [A] of each atom as 6F12.7, then velocities (passed over) or none, then a cell of
/// three lengths, whose angles are 90 degrees, or of three lengths and three angles, or none. Numbers end
/// with their seventh decimal, so that they may touch and be wider than their columns. Throws Error with
/// `path:line:`. O(bytes). https://ambermd.org/FileFormats.php#restart
Coordinates read_inpcrd(std::string_view text, const std::string& path);

/// Whether a file that begins so is one.
bool is_inpcrd(std::string_view head);

}  // namespace ionwell
