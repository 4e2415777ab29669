#pragma once

#include <ostream>
#include <string>

#include "io/map.hpp"

namespace ionwell {

/// The box from the first to the last point.
Box extents(const LatticeGeometry& lattice);

/// Rows for a map: file, unit, lattice, range and mean of its values, provenance.
void print_map(std::ostream& out, const Map& map);

}  // namespace ionwell
