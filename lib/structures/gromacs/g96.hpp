// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "structures/coordinates.hpp"
#include "structures/frame_reader.hpp"

namespace ionwell {

/// Whether a file that begins so is a GROMOS-96 file of coordinates (.g96).
bool is_g96(std::string_view head);

/// Reads one frame of a GROMOS-96 file as GROMACS writes it [A]: the blocks POSITION (with labels) or
/// POSITIONRED, and the BOX after it; all other blocks are left out. Throws Error with `path:line:`. Source:
/// GROMACS's g96io.
Coordinates read_g96(std::string_view text, const std::string& path, FrameChoice frame = {});

/// The same for all frames, which are found at once.
std::unique_ptr<FrameReader> open_g96(std::string_view text, const std::string& path);

}  // namespace ionwell
