// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime.h>

#include <span>

#include "core/structure.hpp"
#include "electrostatics/poisson_boltzmann/model/boundary_values.hpp"
#include "electrostatics/poisson_boltzmann/pb_system.hpp"

namespace ionwell::gpu {

/// Adds the sum over all atoms of add_multiple_debye_hueckel (lib's) to the outermost points of a potential
/// on the current device. All charges act at all points, in fp32 relative to the lattice's middle with sums
/// in fp64: to 1e-6 of the sum of their sizes, where lib takes distant charges together.
void add_debye_hueckel_boundary(std::span<const Atom> atoms, double solvent_dielectric,
                                const PbSystem& system, double* phi_kT_e, cudaStream_t stream);

/// set_focused_boundary (lib's), from a potential on a larger lattice that is rounded to fp32.
void focus_boundary(const LatticeGeometry& coarse, const double* coarse_kT_e, const LatticeGeometry& lattice,
                    double* phi_kT_e, cudaStream_t stream);

}  // namespace ionwell::gpu
