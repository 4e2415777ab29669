// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

#include "sampling/ion_set.hpp"
#include "sampling/random_stream.hpp"

namespace ionwell {

struct BrownianOptions {
  /// [ps]. 10 fs: soft spheres of 2 A radius that touch, at 0.4 A^2/ps to each other, move by less than a
  /// fifth of the way back in a step.
  double time_step_ps = 0.01;
};

/// Brownian dynamics of ions without hydrodynamic interaction (Ermak and McCammon, J. Chem. Phys. 69:1352,
/// 1978, eq. 17 with a diagonal tensor): in each step
///   x' = x + D F dt + sqrt(2 D dt) xi
/// with F in kT/A and xi of variance 1, walls that reflect or a periodic box. A force moves an ion by 0.5 A
/// at most: such steps are counted, and too many of them say that the time step is too long.
class BrownianDynamics {
 public:
  /// Throws UsageError for hard spheres, a species that does not diffuse, and a time step that is not
  /// positive or longer than longest_time_step_ps.
  BrownianDynamics(IonSet ions, const BrownianOptions& options, RandomStream random);

  void run(std::int64_t steps);

  /// All that its next steps, and what it tells, depend on.
  void save(StateWriter& state) const;
  void restore(StateReader& state);

  const IonSet& ions() const { return ions_; }

  /// The energy of the set as the last step began [kT].
  double energy_kT() const { return energy_kT_; }

  /// Moves of single ions that were cut.
  std::int64_t cut_moves() const { return cut_moves_; }

 private:
  IonSet ions_;
  BrownianOptions options_;
  RandomStream random_;
  double energy_kT_;
  std::int64_t cut_moves_ = 0;
  std::vector<Vec3<double>> forces_kT_A_;
};

/// The longest time step [ps] that soft spheres of a model can take: two that touch come half of the way back
/// in it, D (d2U/dr2)(sigma) dt = 1/2.
double longest_time_step_ps(const IonModel& model);

}  // namespace ionwell
