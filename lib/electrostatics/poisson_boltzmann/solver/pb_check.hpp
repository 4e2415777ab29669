// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "electrostatics/poisson_boltzmann/pb_system.hpp"
#include "electrostatics/poisson_boltzmann/solver/point_box.hpp"

namespace ionwell {

/// Throws Error unless the system is an equation with one solution: arrays of the lattice's size, dielectric
/// positive, accessibility from 0 to 1, charges and boundary finite, ions neutral together. Of
/// one whose arrays a device has, what the host has of it.
void check_system(const PbSystem& system, int threads);

/// The same of the dielectric and the accessibility at some points of the whole lattice alone.
void check_coefficients(const PbSystem& system, const PointBox& box);

}  // namespace ionwell
