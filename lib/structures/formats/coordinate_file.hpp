// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

#include "structures/coordinates.hpp"
#include "structures/formats/file_format.hpp"

namespace ionwell {

/// Whether a file of this format may hold several frames, one of which a FrameChoice names.
bool has_frames(FileFormat format);

/// Positions and labels of a file of any format that has them; `frame` where there may be several, otherwise
/// the first model. Throws Error as its reader does.
Coordinates read_coordinates(FileFormat format, std::string_view bytes, const std::string& path,
                             FrameChoice frame = {});

}  // namespace ionwell
