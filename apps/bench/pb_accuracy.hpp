// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <ostream>

#include "bench/measure.hpp"

namespace ionwell {

/// Prints how far the Poisson-Boltzmann solver is from exact potentials and energies of a dielectric sphere
/// with charges in it (Kirkwood's series in fp64), for each way of putting charges on the lattice and each
/// rule for its faces.
void print_pb_accuracy(const MeasureOptions& measure, std::ostream& out);

}  // namespace ionwell
