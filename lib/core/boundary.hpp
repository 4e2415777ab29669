// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

namespace ionwell {

/// Whether space repeats: for distances and for the potential.
enum class Boundary { periodic, open };

std::string_view to_string(Boundary boundary);

}  // namespace ionwell
