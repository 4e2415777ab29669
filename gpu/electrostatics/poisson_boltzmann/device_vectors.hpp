// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime.h>

#include <memory>
#include <vector>

#include "electrostatics/poisson_boltzmann/pb_system.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_vectors.hpp"
#include "gpu/electrostatics/poisson_boltzmann/model/face_arrays.hpp"
#include "parallel/rank_group.hpp"

namespace ionwell::gpu {

/// PbVectors (lib's) on CUDA's devices `ordinals`, which share long arrays if they reach each other's memory
/// (otherwise on the first alone), of a system that has been checked and stays where it is. As the host's,
/// whose preconditioner has more digits: solutions differ by what a tolerance leaves, and by rounding. Every
/// run has the same bits. Throws Error when the device has not the memory.
std::unique_ptr<PbVectors> device_vectors(const std::vector<int>& ordinals, PbSystem& system,
                                          bool is_nonlinear);

/// The arrays of a system that a device has: all are set by work in the stream, and PbVectors::update says
/// that the coefficients were. The potential holds the given values at the outermost points, and starts
/// inside.
struct ResidentArrays {
  FaceArrays faces;
  float* charge_e;
  double* phi_kT_e;
  cudaStream_t stream;
};

struct ResidentVectors {
  std::unique_ptr<PbVectors> vectors;
  ResidentArrays arrays;  // as long as the vectors are there
};

/// The same on one device, of a system that is_on_device: nothing of it is copied, and a solution stays where
/// it is. Charges and potential are not set.
ResidentVectors resident_vectors(int ordinal, PbSystem& system, bool is_nonlinear);

/// device_vectors of one rank of a group whose ranks share the planes of all levels (share_device_planes),
/// each on a device of its own, and call the same functions in the same order: the result has the same bits
/// as that of one process with one device, for any number of ranks. The lattice of `system` is as
/// shared_host_vectors says; of what is stored, and of values_on_device, a rank's own planes are the
/// solution's.
std::unique_ptr<PbVectors> shared_device_vectors(int ordinal, PbSystem& system, bool is_nonlinear,
                                                 RankGroup& group);

}  // namespace ionwell::gpu
