// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime.h>

#include <span>

#include "core/structure.hpp"
#include "electrostatics/poisson_boltzmann/model/boundary_places.hpp"
#include "electrostatics/poisson_boltzmann/model/boundary_values.hpp"
#include "electrostatics/poisson_boltzmann/pb_system.hpp"
#include "gpu/electrostatics/poisson_boltzmann/model/solute_atoms.hpp"
#include "gpu/runtime/device_buffer.hpp"

namespace ionwell::gpu {

/// Sums over atoms at the outermost points of a lattice, on the current device. Keeps its memory: the stream
/// uses it for some time.
class BoundarySums {
 public:
  /// Adds the sum over atoms of add_multiple_debye_hueckel (lib's) to a potential; `on_device` are the same
  /// atoms there. All act at all points, in fp32 relative to the lattice's middle with sums in fp64: to 1e-6
  /// of the sum of their sizes, where lib takes distant charges together.
  void add_debye_hueckel(const SoluteAtoms& atoms, const SoluteAtom* on_device, double solvent_dielectric,
                         const PbSystem& system, double* phi_kT_e, cudaStream_t stream);

 private:
  DeviceBuffer<float4> charges_;
  DeviceBuffer<Vec3<double>> places_A_;
  DeviceBuffer<CubicWeights> weights_;
  DeviceBuffer<double> sums_;
};

/// set_focused_boundary (lib's), from a potential on a larger lattice that is rounded to fp32.
void focus_boundary(const LatticeGeometry& coarse, const double* coarse_kT_e, const LatticeGeometry& lattice,
                    double* phi_kT_e, cudaStream_t stream);

}  // namespace ionwell::gpu
