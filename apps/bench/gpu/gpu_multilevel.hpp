// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <ostream>

namespace ionwell {

/// Multilevel sums on the first GPU, from charges on the device to all points of a map there: times with
/// their bars, stages, and the deviation from fp64 at random points.
void print_multilevel_rows(std::ostream& out, int repeats);

}  // namespace ionwell
