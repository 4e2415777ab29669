#pragma once

#include "electrostatics/poisson_boltzmann/pb_system.hpp"

namespace ionwell {

/// Throws Error unless the system is an equation with one solution: arrays of the lattice's size, dielectric
/// positive, accessibility from 0 to 1, charges and boundary finite, ions neutral together.
void check_system(const PbSystem& system, int threads);

}  // namespace ionwell
