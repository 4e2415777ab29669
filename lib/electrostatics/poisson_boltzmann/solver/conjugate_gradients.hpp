// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "core/large_array.hpp"
#include "electrostatics/poisson_boltzmann/solver/host_workspace.hpp"
#include "electrostatics/poisson_boltzmann/solver/red_black/red_black_cycle.hpp"

namespace ionwell {

/// Conjugate gradients for A e = r, preconditioned by one V-cycle (Tatebe, The multigrid preconditioned
/// conjugate gradient method, 1993). The odd points are taken out: theirs are the values that fulfil their
/// equations, so that all vectors are half as long, and r is zero there. Both sides are scaled as
/// RedBlackMatrix says. Vectors in fp32, scalar products in fp64 and in the same order for any number of
/// threads, and of processes that share planes. 8 bytes a point, and what the V-cycle has.
class ConjugateGradients {
 public:
  /// All must stay. The levels have at least one; the workspace is for as many points as the finest has.
  ConjugateGradients(const RedBlackLevel& half, const PbLevels& levels, SimdLevel simd, ThreadPool& pool,
                     HostWorkspace& workspace);

  /// To be called first, and when others have used the workspace.
  void clear();

  /// To be set by the caller: the residual at the even points and, in place of the correction, at the odd
  /// ones. `take_residual` makes of them what iterations continue from, and the correction zero. They may be
  /// set anew between iterations: the directions stay conjugate as far as the residual is the same.
  float* even_residual() { return r_; }
  float* odd_residual() { return e_; }
  void take_residual();

  /// What was found since then, at the even points; in place of its scaled values.
  float* even_correction();

  /// Forgets the directions; to be called before the first iteration.
  void start();

  /// One iteration; returns the norm of the residual, as it follows from the last one. Not a number when
  /// the matrix is not positive definite or a value has overflowed.
  double iterate();

 private:
  struct Slab {
    PlaneSlab direction;
    PlaneRing odd;
  };

  double turn_and_apply(float beta);
  template <typename Work>
  void for_own_planes(const Work& work);
  void set_to_zero(float* values);
  void divide_by_roots(PointColour colour, float* values);

  const RedBlackMatrix& matrix_;
  const PbLevel& level_;
  const RedBlackKernels& kernels_;
  RedBlackCycle preconditioner_;
  ThreadPool& pool_;
  HostWorkspace& workspace_;
  float *r_ = nullptr, *e_ = nullptr, *p_ = nullptr, *z_ = nullptr;  // z_: also A p
  std::vector<Slab> slabs_;
  const SharedPlanes& planes_;
  std::vector<double> sums_;  // by plane of the whole lattice
  double product_ = 0.0;      // of r and M r, one iteration before; 0: there was none
};

}  // namespace ionwell
