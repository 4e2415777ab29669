// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "electrostatics/periodic/periodic_sum.hpp"

namespace ionwell::gpu {

/// periodic_potential (electrostatics/periodic/periodic_sum.hpp) on CUDA's device `ordinal`; all that it
/// needs is there at once. Differs from the CPU's by rounding and by what both plans leave out: each is as
/// exact as requested. Every run has the same bits. Throws Error when the device has not the memory or cuFFT
/// is not installed, and what `progress` throws.
std::vector<double> periodic_potential(int ordinal, const PeriodicCell& cell, const PairPotential& pair,
                                       std::span<const PointCharge> charges,
                                       std::span<const Vec3<double>> points_A,
                                       const PeriodicSumOptions& options, const Progress& progress);

}  // namespace ionwell::gpu
