// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>

#include "core/large_array.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_level.hpp"
#include "electrostatics/poisson_boltzmann/solver/point_box.hpp"
#include "electrostatics/poisson_boltzmann/solver/simd/red_black_kernels.hpp"
#include "parallel/thread_pool.hpp"

namespace ionwell {

/// The finest level as a RedBlackMatrix: what iterations read of it is half of what the level's own arrays
/// and their diagonal are. 16 bytes a point.
class RedBlackLevel {
 public:
  /// Room for it; update makes it.
  RedBlackLevel(const PbLevel& level, SimdLevel simd, ThreadPool& pool);

  const RedBlackMatrix& matrix() const { return matrix_; }

  /// Makes what depends on the level's conductances and reactions at these points anew; O(points there).
  void update(const PbLevel& level, const PointBox& changed);

 private:
  void set_row(const PbLevel& level, int j, int k, const float* u, const float* u_above, float* workspace);

  RedBlackMatrix matrix_;
  std::array<LargeArray<float>, 2> face_x_, face_y_, face_z_, root_;  // by colour
  const RedBlackKernels& kernels_;
  ThreadPool& pool_;
};

}  // namespace ionwell
