#pragma once

#include <memory>

#include "core/instruction_set.hpp"
#include "electrostatics/poisson_boltzmann/pb_system.hpp"
#include "electrostatics/poisson_boltzmann/solver/host_workspace.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_vectors.hpp"

namespace ionwell {

/// PbVectors on this host's processor, of a system that has been checked and stays where it is. The same bits
/// for any number of threads. Memory: host_vectors_bytes. `workspace` is the system's own without one.
std::unique_ptr<PbVectors> host_vectors(PbSystem& system, bool is_nonlinear, SimdLevel simd, int threads,
                                        std::shared_ptr<HostWorkspace> workspace = nullptr);

}  // namespace ionwell
