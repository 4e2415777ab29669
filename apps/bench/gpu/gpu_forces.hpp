// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <ostream>

namespace ionwell {

/// Interpolated forces on the first GPU, in a map that its L2 holds: forces per second of device time, with
/// their bars, and what a library call takes; the deviation from the host's.
void print_force_rows(std::ostream& out, int repeats);

}  // namespace ionwell
