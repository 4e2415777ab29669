// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <ostream>
#include <string>

#include "bench/measure.hpp"

namespace ionwell {

/// Prints what the equation of a structure takes from atoms to potential, on the lattice around it and on the
/// outer one: with all of it on the first GPU, and with surfaces on this host in turn. So for five ions that
/// join it, as in placement. Throws Error without a GPU.
void print_solute_pb(const std::string& structure, double spacing_A, double tolerance,
                     const MeasureOptions& measure, std::ostream& out);

}  // namespace ionwell
