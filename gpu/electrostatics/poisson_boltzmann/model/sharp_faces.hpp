// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime.h>

#include "electrostatics/poisson_boltzmann/model/dielectric_faces.hpp"
#include "gpu/electrostatics/poisson_boltzmann/model/bricks.hpp"
#include "gpu/electrostatics/poisson_boltzmann/model/face_arrays.hpp"

namespace ionwell::gpu {

/// The dielectric faces of a sharp surface on the current device. Keeps its memory.
class SharpFaces {
 public:
  /// Sets the faces of the bricks' points to shares of the surface with these parts, as set_dielectric
  /// (lib's) does, in the same formulas: shares differ by rounding of fp32 distances, and by where regula
  /// falsi stops. With `closes_inside` the accessibility of points inside becomes 0. `depth_A` is the largest
  /// spacing.
  void set(const BricksView& bricks, const PartsView& parts, const DielectricOptions& options, double probe_A,
           double depth_A, bool closes_inside, const FaceArrays& to, cudaStream_t stream);

 private:
  NearLists balls_, arcs_;
};

}  // namespace ionwell::gpu
