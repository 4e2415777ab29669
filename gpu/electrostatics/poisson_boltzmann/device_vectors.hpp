#pragma once

#include <memory>

#include "electrostatics/poisson_boltzmann/pb_system.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_vectors.hpp"

namespace ionwell::gpu {

/// PbVectors (lib's) on CUDA's device `ordinal`, of a system that has been checked and stays where it is. As
/// the host's, but for rounding; every run has the same bits. Throws Error when the device has not the
/// memory.
std::unique_ptr<PbVectors> device_vectors(int ordinal, PbSystem& system, bool is_nonlinear);

}  // namespace ionwell::gpu
