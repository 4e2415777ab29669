// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace ionwell {

/// Beyond these it is no atom: a damaged number, a wrong unit, a column that is something else.
constexpr double largest_coordinate_A = 1e5, largest_charge_e = 1e3, largest_radius_A = 100.0;

}  // namespace ionwell
