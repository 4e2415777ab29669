// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <ostream>
#include <string>

#include "bench/measure.hpp"

namespace ionwell {

/// Prints what the equation of a structure takes beside APBS (mg-manual), which is run in turn: the same
/// words, lattice, boundary and tolerance, from the file of the structure to a map. Lattices of `APBS counts`
/// around the structure with a border of 8 A: of 1 A and, with `finer`, of half of it. Throws Error without
/// APBS.
void print_pb_beside_apbs(const std::string& structure, double tolerance, bool finer,
                          const MeasureOptions& measure, std::ostream& out);

}  // namespace ionwell
