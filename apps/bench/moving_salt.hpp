// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "sampling/lattice_field.hpp"
#include "sampling/monte_carlo.hpp"

namespace ionwell {

/// Na+ and Cl- at a concentration in a cube, in the potential of a rod of charges on a lattice of 0.5 A.
IonModel moving_salt(int ions, double concentration_M, const PairPotential& pair,
                     ForceInterpolation interpolation);

}  // namespace ionwell
