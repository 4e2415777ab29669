// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "structures/coordinates.hpp"
#include "structures/frame_reader.hpp"

namespace ionwell {

/// Whether a file that begins so is a DCD, of coordinates or of velocities.
bool is_dcd(std::string_view head);

/// Reads one frame of a DCD trajectory of CHARMM, NAMD, X-PLOR, VMD or MDAnalysis [A]: either byte order,
/// record marks of 32 or 64 bits, with fixed atoms, four dimensions and fluctuating charges, which are left
/// out. A cell may be lengths with cosines (NAMD), with angles [degrees], or CHARMM's symmetric shape matrix.
/// How many frames there are the length of the file says, not its header. Only this frame is decoded, and the
/// first where atoms are fixed. Throws Error for velocities, for a frame that is not there or not whole, and
/// for numbers that an atom cannot have. Source: CHARMM's dynio.F90 and NAMD's files.
Coordinates read_dcd(std::string_view bytes, const std::string& path, FrameChoice frame = {});

/// The same for all frames, which are found at once. Throws Error for what has no whole frame.
std::unique_ptr<FrameReader> open_dcd(std::string_view bytes, const std::string& path);

}  // namespace ionwell
