// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime.h>

#include "electrostatics/poisson_boltzmann/model/dielectric_faces.hpp"
#include "electrostatics/poisson_boltzmann/model/ion_accessibility.hpp"
#include "gpu/electrostatics/poisson_boltzmann/model/bricks.hpp"
#include "gpu/electrostatics/poisson_boltzmann/model/face_arrays.hpp"

namespace ionwell::gpu {

/// What follows from the balls near a point alone: accessibility, and the faces of a smooth surface, on the
/// current device. Keeps its memory.
class PointShares {
 public:
  /// Sets the accessibility of the bricks' points as set_accessibility (lib's) does, but for what a sharp
  /// surface closes inside (SharpFaces); to the rounding of fp32 distances. `balls` are the atoms.
  void set_accessibility(const BricksView& bricks, const BallCells& balls,
                         const AccessibilityOptions& options, const FaceArrays& to, cudaStream_t stream);

  /// Sets the faces of a smooth surface as set_dielectric (lib's) does, to rounding.
  void set_smooth_faces(const BricksView& bricks, const BallCells& balls, const DielectricOptions& options,
                        const FaceArrays& to, cudaStream_t stream);

 private:
  NearLists near_;
};

}  // namespace ionwell::gpu
