// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime.h>

#include <span>
#include <vector>

#include "core/lattice.hpp"
#include "core/structure.hpp"
#include "electrostatics/poisson_boltzmann/model/charge_assignment.hpp"
#include "gpu/electrostatics/poisson_boltzmann/model/solute_atoms.hpp"
#include "gpu/runtime/device_buffer.hpp"

namespace ionwell::gpu {

/// Sets `charge_e` of all points to the atoms' charges by splines, as assign_charges (lib's)
/// does: sums are exact to 1e-12 e and then rounded, so that they do not depend on their order; lib rounds
/// after each term. `room`: 8 bytes a point, whose values are lost.
void assign_all_charges(const DeviceBuffer<SoluteAtom>& atoms, ChargeAssignment assignment,
                        const LatticeGeometry& lattice, void* room, float* charge_e, cudaStream_t stream);

/// Adds the charges of a few atoms on the device, one after the other, as assign_charges does: the same bits.
void assign_more_charges(const SoluteAtom* atoms, std::int64_t count, ChargeAssignment assignment,
                         const LatticeGeometry& lattice, float* charge_e, cudaStream_t stream);

/// assigned_potential (lib's) at each charge, of a potential that is rounded to fp32.
std::vector<double> potential_at_charges(const DeviceBuffer<PointCharge>& charges,
                                         ChargeAssignment assignment, const LatticeGeometry& lattice,
                                         const double* phi_kT_e, cudaStream_t stream);

}  // namespace ionwell::gpu
