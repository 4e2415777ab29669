#pragma once

#include <memory>
#include <vector>

#include "electrostatics/poisson_boltzmann/pb_system.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_vectors.hpp"

namespace ionwell::gpu {

/// PbVectors (lib's) on CUDA's devices `ordinals`, which share long arrays if they reach each other's memory
/// (otherwise on the first alone), of a system that has been checked and stays where it is. As
/// the host's, but for rounding; every run has the same bits. Throws Error when the device has not the
/// memory.
std::unique_ptr<PbVectors> device_vectors(const std::vector<int>& ordinals, PbSystem& system,
                                          bool is_nonlinear);

}  // namespace ionwell::gpu
