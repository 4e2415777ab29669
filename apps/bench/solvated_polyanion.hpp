// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "electrostatics/poisson_boltzmann/pb_system.hpp"

namespace ionwell {

/// The equation around a random_walk_polyanion that fills the middle of a lattice, for measurements of the
/// solver: dielectric 4 in the atoms, 78.54 outside, 0.15 M of a 1:1 salt 2 A away from them, trilinear
/// charges, the potential of one charge in the middle on the boundary.
PbSystem solvated_polyanion(const Vec3<std::int64_t>& counts, double spacing_A);

}  // namespace ionwell
