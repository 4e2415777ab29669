// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "electrostatics/interpolated/interpolated_forces.hpp"

namespace ionwell::gpu {

/// make_host_forces (electrostatics/interpolated) on CUDA's device `ordinal`. Charges by themselves are
/// placed as on the host; those of bodies in single precision, relative to the body's centre, so that one
/// within 1e-5 spacings of a lattice plane may come to its other side. Throws Error when the device has not
/// the memory.
std::unique_ptr<InterpolatedForces> interpolated_forces(int ordinal, const PotentialOnLattice& potential,
                                                        ForceInterpolation interpolation);

}  // namespace ionwell::gpu
