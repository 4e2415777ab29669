#pragma once

#include <memory>
#include <vector>

#include "electrostatics/poisson_boltzmann/pb_system.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_vectors.hpp"
#include "parallel/rank_group.hpp"

namespace ionwell::gpu {

/// PbVectors (lib's) on CUDA's devices `ordinals`, which share long arrays if they reach each other's memory
/// (otherwise on the first alone), of a system that has been checked and stays where it is. As
/// the host's, but for rounding; every run has the same bits. Throws Error when the device has not the
/// memory.
std::unique_ptr<PbVectors> device_vectors(const std::vector<int>& ordinals, PbSystem& system,
                                          bool is_nonlinear);

/// The same of one rank of a group whose ranks share the planes of all levels (share_device_planes), each on
/// a device of its own, and call the same functions in the same order: bits are those of one process with one
/// device, for any number of ranks. The lattice of `system` is as shared_host_vectors says; of what is
/// stored, and of values_on_device, a rank's own planes are the solution's.
std::unique_ptr<PbVectors> shared_device_vectors(int ordinal, PbSystem& system, bool is_nonlinear,
                                                 RankGroup& group);

}  // namespace ionwell::gpu
