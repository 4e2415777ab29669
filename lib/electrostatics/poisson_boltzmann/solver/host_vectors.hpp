// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <memory>

#include "core/instruction_set.hpp"
#include "electrostatics/poisson_boltzmann/pb_system.hpp"
#include "electrostatics/poisson_boltzmann/solver/host_workspace.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_vectors.hpp"
#include "parallel/rank_group.hpp"

namespace ionwell {

/// PbVectors on this host's processor, of a system that has been checked and stays where it is. The same bits
/// for any number of threads. Memory: host_vectors_bytes. `workspace` is the system's own without one.
std::unique_ptr<PbVectors> host_vectors(PbSystem& system, bool is_nonlinear, SimdLevel simd, int threads,
                                        std::shared_ptr<HostWorkspace> workspace = nullptr);

/// The same of one rank of a group whose ranks share the planes of all levels, and call the same functions in
/// the same order: all get the numbers that one process gets, and bits are the same for any number of ranks,
/// too. The lattice of `system` is a slab of these planes (planes_of_ranks). Of the start and of what is
/// stored its own planes count: it gets those of others from them.
std::unique_ptr<PbVectors> shared_host_vectors(PbSystem& system, bool is_nonlinear, SimdLevel simd,
                                               int threads, RankGroup& group,
                                               std::shared_ptr<HostWorkspace> workspace = nullptr);

}  // namespace ionwell
