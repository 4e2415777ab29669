// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

namespace ionwell {

/// What moves the ions of a sample.
enum class SampleMethod { monte_carlo, brownian };

/// "mc", "bd": as the command line and the report call it.
std::string_view to_string(SampleMethod method);

}  // namespace ionwell
