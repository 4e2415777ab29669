// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace ionwell {

constexpr double lowest_temperature_K = 1.0, highest_temperature_K = 1e4;  // wider than any solution's

/// Whether a solution can have it; false for NaN.
constexpr bool is_temperature(double kelvin) {
  return kelvin >= lowest_temperature_K && kelvin <= highest_temperature_K;
}

}  // namespace ionwell
