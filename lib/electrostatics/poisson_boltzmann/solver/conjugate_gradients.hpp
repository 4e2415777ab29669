#pragma once

#include <vector>

#include "core/large_array.hpp"
#include "electrostatics/poisson_boltzmann/solver/host_workspace.hpp"
#include "electrostatics/poisson_boltzmann/solver/v_cycle.hpp"

namespace ionwell {

/// Conjugate gradients for A e = r, preconditioned by one V-cycle (Tatebe, The multigrid preconditioned
/// conjugate gradient method, 1993). Vectors in fp32, scalar products in fp64 and in the same order for any
/// number of threads, and of processes that share planes. 16 bytes a point, and what the V-cycle has.
class ConjugateGradients {
 public:
  /// The levels must stay, and have at least one; so must the workspace, for as many points as the finest
  /// has.
  ConjugateGradients(const PbLevels& levels, SimdLevel simd, ThreadPool& pool, HostWorkspace& workspace);

  /// To be called first, and when others have used the workspace.
  void clear();

  /// The residual, which the caller sets; zero at the outermost points. It may be replaced between
  /// iterations by a truer one: the directions stay conjugate as far as it is the same.
  LargeArray<float>& residual() { return r_; }

  /// What was found since the start, or since it was set to zero.
  const LargeArray<float>& correction() const { return e_; }
  void clear_correction();

  /// Forgets directions and correction; to be called before the first iteration.
  void start();

  /// One iteration; returns the norm of the residual, as it follows from the last one. Not a number when
  /// the matrix is not positive definite or a value has overflowed.
  double iterate();

 private:
  const PbLevel& level_;
  const PbKernels& kernels_;
  VCycle preconditioner_;
  ThreadPool& pool_;
  LargeArray<float>&r_, &e_, &p_, &z_;  // z_: also A p
  const SharedPlanes& planes_;
  std::vector<double> sums_;  // by plane of the whole lattice
  double product_ = 0.0;      // of r and M r, one iteration before; 0: there was none
};

}  // namespace ionwell
