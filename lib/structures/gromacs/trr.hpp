// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "structures/coordinates.hpp"
#include "structures/frame_reader.hpp"

namespace ionwell {

/// Whether a file that begins so is a TRR trajectory.
bool is_trr(std::string_view head);

/// Reads one frame of GROMACS's full-precision trajectories [A], in single or double precision. Frames
/// without positions (velocities or forces alone) are passed over and not counted. There are no labels. To
/// find a frame only headers are looked at. Throws Error for a frame that is not there. Source: GROMACS's
/// trrio.
Coordinates read_trr(std::string_view bytes, const std::string& path, FrameChoice frame = {});

/// The same for all frames, whose headers are looked at once. Throws Error for what has no complete frame.
std::unique_ptr<FrameReader> open_trr(std::string_view bytes, const std::string& path);

}  // namespace ionwell
