// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <ostream>

namespace ionwell {

/// Replicas of moving ions on the first GPU: moves and steps per second of device time.
void print_chain_rows(std::ostream& out, int repeats);

}  // namespace ionwell
