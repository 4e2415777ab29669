// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <ostream>

namespace ionwell {

/// Sums at a million points around half a million charges by the first GPU, against their goals.
void print_point_rows(std::ostream& out, int repeats);

}  // namespace ionwell
