// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "core/large_array.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_levels.hpp"
#include "electrostatics/poisson_boltzmann/solver/simd/pb_kernels.hpp"

namespace ionwell {

/// One V-cycle of geometric multigrid from zero, as a preconditioner: on each level Gauss-Seidel sweeps, the
/// even points before the odd ones, the residual to the next level, its answer back by linear interpolation,
/// and the sweeps in reverse. A linear, symmetric and positive definite map, for all of its parts mirror
/// each other. Briggs, Henson and McCormick, A Multigrid Tutorial, 2nd ed., chapters 3 to 5. 2.2 bytes a
/// point of its finest level.
class VCycle {
 public:
  /// Of the levels from `first` on, which must stay.
  VCycle(const PbLevels& levels, std::size_t first, SimdLevel simd, ThreadPool& pool);

  /// z = M r on the first of them; returns the scalar product of r and z, of the planes that are this
  /// process's. Of z only the outermost points, which are zero, are read. Where planes are shared, ghosts of
  /// r are filled.
  double apply(float* r, float* z);

 private:
  /// What a coarse level has of its own.
  struct Vectors {
    LargeArray<float> x, b;
  };

  float* right_side(std::size_t n, float* r) { return n == first_ ? r : vectors(n).b.data(); }
  float* solution(std::size_t n, float* z) { return n == first_ ? z : vectors(n).x.data(); }
  void go_down(std::size_t n, float* b, float* x);
  double go_up(std::size_t n, const float* b, float* x);
  Vectors& vectors(std::size_t n) { return vectors_[n - first_ - 1]; }

  const PbLevels& levels_;
  std::size_t first_;
  const PbKernels& kernels_;
  const PbTransferKernels& transfer_;
  ThreadPool& pool_;
  std::vector<Vectors> vectors_;  // of the levels behind the first
  LargeArray<float> collected_;   // residual of one level, coarse along x and y
  std::vector<double> sums_;      // by plane of the first level
};

}  // namespace ionwell
