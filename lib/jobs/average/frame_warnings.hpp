// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace ionwell {

struct AverageSummary;

/// What the frames were like that the user should know of; a box is where the lattice was wanted.
std::vector<std::string> frame_warnings(const AverageSummary& summary, bool has_box);

}  // namespace ionwell
