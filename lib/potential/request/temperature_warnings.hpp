// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <vector>

namespace ionwell {

/// A warning about a temperature that no solution has, because it is in degrees Celsius, perhaps.
std::vector<std::string> temperature_warnings(double temperature_K);

}  // namespace ionwell
