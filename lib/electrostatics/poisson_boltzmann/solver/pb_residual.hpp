// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "core/large_array.hpp"
#include "electrostatics/poisson_boltzmann/solver/ionic_solution.hpp"
#include "electrostatics/poisson_boltzmann/solver/pb_levels.hpp"
#include "electrostatics/poisson_boltzmann/solver/red_black/red_black_lattice.hpp"
#include "electrostatics/poisson_boltzmann/solver/simd/pb_kernels.hpp"
#include "parallel/thread_pool.hpp"

namespace ionwell {

/// The equation itself in fp64, on the finest lattice: what the solution is measured by.
class PbResidual {
 public:
  /// `levels`: of the linear equation. All must stay. `ions`: those of the nonlinear equation, or null.
  PbResidual(const PbSystem& system, const PbLevels& levels, const IonicSolution* ions, SimdLevel simd,
             ThreadPool& pool);

  /// phi = the start; returns whether that is zero at all inner points.
  bool start(std::span<const float> start_kT_e, LargeArray<double>& phi_kT_e);

  /// The right side at the points of either colour (RedBlackLattice): what charges and given potentials put
  /// into the inner points, and the linear equation's residual where phi is zero at them. Returns its 2-norm.
  double right_side(const LargeArray<double>& phi_kT_e, float* even, float* odd);

  /// right side - A phi, less what the ions answer in the nonlinear equation, of the points of either colour
  /// (RedBlackLattice); returns its 2-norm. `slope`, then: the derivative of that answer at each point, which
  /// is the reaction of the equation linearised at phi; null for the linear one. Where planes are shared a
  /// ghost of phi is filled on each side.
  double at(LargeArray<double>& phi_kT_e, float* even, float* odd, float* slope);

  /// phi += the correction at the even points, which is in `odd`, and at the odd ones what fulfils their
  /// equations then; and the residual of that, as `at` has it. For the linear equation. Where planes are
  /// shared two ghosts of phi and of the correction are filled on each side.
  double add_correction(LargeArray<double>& phi_kT_e, float* even, float* odd);

  /// The same for a step of Newton's method, whose equations are linearised at phi, by what
  /// IonicSolution::bounded_step makes of it where ions can be. `odd_kT_e`: room for the step at odd points.
  /// Where planes are shared a ghost of the even points' step is filled on each side.
  void add_newton_step(float* even_kT_e, float* odd_kT_e, LargeArray<double>& phi_kT_e);

  /// Points where ions can be and the potential is beyond IonicSolution::cap.
  std::int64_t points_beyond_cap(const LargeArray<double>& phi_kT_e);

 private:
  /// Calls of_row(j, k) -> its part of a sum for each inner row, and returns the sum.
  template <typename OfRow>
  double sum_over_rows(const OfRow& of_row);

  /// values = the residual in a row; slopes are of the nonlinear equation. Returns the sum of squares.
  double residual_row(const LargeArray<double>& phi_kT_e, std::int64_t row, double* values, float* slopes);

  /// Gives a row's values to the points of either colour.
  void store_row(int j, int k, const double* values, float* even, float* odd) const;
  double diagonal_at(std::int64_t p) const;  // without ions

  const PbSystem& system_;
  const PbLevel level_;
  const RedBlackLattice half_;
  const IonicSolution* ions_;
  const PbKernels& kernels_;
  ThreadPool& pool_;
  double volume_A3_, charge_factor_;
  const SharedPlanes& planes_;
  std::vector<double> sums_;  // by plane of the whole lattice
};

}  // namespace ionwell
