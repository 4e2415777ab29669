#pragma once

#include <memory>

#include "core/instruction_set.hpp"
#include "electrostatics/poisson_boltzmann/pb_system.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_vectors.hpp"

namespace ionwell {

/// Memory that they take besides the system: 28 bytes a point, 32 for the nonlinear equation.
std::int64_t host_vectors_bytes(const LatticeGeometry& lattice, bool is_nonlinear);

/// PbVectors on this host's processor, of a system that has been checked and stays where it is. The same bits
/// for any number of threads.
std::unique_ptr<PbVectors> host_vectors(PbSystem& system, bool is_nonlinear, SimdLevel simd, int threads);

}  // namespace ionwell
