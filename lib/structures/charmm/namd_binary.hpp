// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

#include "structures/coordinates.hpp"

namespace ionwell {

/// Whether a file that begins so can be a NAMD binary coordinate file: it has no mark of its own, so all the
/// numbers of `head` must be ones that coordinates have, and no more than the count says.
bool is_namd_binary(std::string_view head);

/// Reads NAMD's binary coordinates (.coor, .restart.coor), of either byte order: the number of atoms, then x,
/// y, z [A] of each in double precision. Throws Error where count and length of the file disagree, and for
/// numbers that an atom cannot have. Velocities (.vel) look the same.
Coordinates read_namd_binary(std::string_view bytes, const std::string& path);

}  // namespace ionwell
