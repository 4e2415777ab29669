// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <ostream>
#include <string>

#include "maps/map.hpp"

namespace ionwell {

/// Rows for a map: file, unit, lattice, range and mean of its values, provenance.
void print_map(std::ostream& out, const Map& map);

}  // namespace ionwell
