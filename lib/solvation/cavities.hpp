// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/periodic_cell.hpp"

namespace ionwell {

/// Waters near a solute, and what leads to the bulk.
struct NearWaters {
  std::vector<Vec3<double>> near_A;  // oxygens, within the cell or just outside
  std::vector<Vec3<double>> open_A;  // of waters farther from the solute, and of those that the input had
};

/// Which of the near waters stay (1): those from which a path of steps of at most 4 A, from oxygen to oxygen,
/// leads to one of the open ones, and those that have `smallest_cavity` or more of their like on such paths.
/// O(waters).
std::vector<std::uint8_t> waters_outside_small_cavities(const NearWaters& waters, const PeriodicCell& cell,
                                                        int smallest_cavity);

}  // namespace ionwell
