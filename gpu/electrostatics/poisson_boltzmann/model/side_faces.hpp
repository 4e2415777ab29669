// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime.h>

#include "electrostatics/poisson_boltzmann/model/dielectric_faces.hpp"
#include "gpu/electrostatics/poisson_boltzmann/model/bricks.hpp"
#include "gpu/electrostatics/poisson_boltzmann/model/face_arrays.hpp"

namespace ionwell::gpu {

/// The dielectric faces that follow from the sides of a sharp surface on which their middles are, on the
/// current device. Keeps its memory.
class SideFaces {
 public:
  /// Sets the faces of the bricks' points by FaceRule::midpoint or averaged_midpoint, as set_dielectric
  /// (lib's) does: the same bits, but for middles within 1e-5 A of the surface. With `closes_inside` the
  /// accessibility of points inside becomes 0. The parts are those near all places that the faces need.
  void set(const BricksView& bricks, const PartsView& parts, const DielectricOptions& options, double probe_A,
           bool closes_inside, const FaceArrays& to, cudaStream_t stream);

 private:
  NearLists balls_, arcs_;
};

}  // namespace ionwell::gpu
