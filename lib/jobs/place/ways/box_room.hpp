// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>

#include "solvation/ions/replaceable_waters.hpp"

namespace ionwell {

/// Both throw Error when a periodic cell is smaller than what is in it: when its waters and acting atoms
/// would be packed closer than in any solid, and when an acting atom lies on an image of another one. `path`
/// is the file's, for the message. O(acting atoms).
void require_volume(const SolvatedBox& box, std::int64_t waters, const std::string& path, int threads);
void require_no_image_on_atom(const SolvatedBox& box, const std::string& path, int threads);

}  // namespace ionwell
