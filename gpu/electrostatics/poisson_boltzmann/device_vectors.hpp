#pragma once

#include <memory>

#include "electrostatics/poisson_boltzmann/pb_system.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_vectors.hpp"

namespace ionwell::gpu {

/// Device memory that they take: 50 bytes a point, 54 for the nonlinear equation.
std::int64_t device_vectors_bytes(const LatticeGeometry& lattice, bool is_nonlinear);

/// PbVectors (lib's) on CUDA's device `ordinal`, of a system that has been checked and stays where it is. As
/// the host's, but for rounding; every run has the same bits. Throws Error when the device has not the
/// memory.
std::unique_ptr<PbVectors> device_vectors(int ordinal, PbSystem& system, bool is_nonlinear);

}  // namespace ionwell::gpu
