// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <ostream>
#include <vector>

#include "jobs/compare/compare_protocols.hpp"

namespace ionwell {

/// A row for each protocol, and how far the ions of any two are apart.
void print_protocols(std::ostream& out, const std::vector<ProtocolResult>& results);

}  // namespace ionwell
