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
/// point.
class VCycle {
 public:
  /// The levels must stay.
  VCycle(const PbLevels& levels, SimdLevel simd, ThreadPool& pool);

  /// z = M r on the finest level; returns the scalar product of r and z. Of z only the outermost points,
  /// which are zero, are read. Where planes are shared, ghosts of r are filled, and z is there on one ghost
  /// plane on each side, too.
  double apply(float* r, float* z);

 private:
  /// What a coarse level has of its own.
  struct Vectors {
    LargeArray<float> x, b;
  };

  float* right_side(std::size_t n, float* r) { return n == 0 ? r : vectors_[n - 1].b.data(); }
  float* solution(std::size_t n, float* z) { return n == 0 ? z : vectors_[n - 1].x.data(); }
  void go_down(std::size_t n, float* b, float* x);
  double go_up(std::size_t n, const float* b, float* x);

  const PbLevels& levels_;
  const PbKernels& kernels_;
  const PbTransferKernels& transfer_;
  ThreadPool& pool_;
  std::vector<Vectors> vectors_;  // of level n + 1
  LargeArray<float> collected_;   // residual of one level, coarse along x and y
  std::vector<double> sums_;      // by plane of the whole lattice
};

}  // namespace ionwell
