// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>

#include "core/host_device.hpp"
#include "electrostatics/poisson_boltzmann/pb_system.hpp"

namespace ionwell {

/// The ions of the solution in the nonlinear equation: what they add to a point's equation, by its potential.
/// Beyond `cap` the exponential continues along its tangent. That changes no solution: with or without it the
/// sum of ions rises strictly with the potential, so that either equation has one solution; and one that
/// stays below the cap fulfils both. PbSolver checks that it does.
struct IonicSolution {
  static constexpr int most = 8;
  static constexpr double cap = 50.0;  // e^50 ions are more than space holds, and fp32 holds their squares

  int count = 0;
  double charge_e[most] = {};
  double strength_per_A2[most] = {};            // 4 pi l c_i
  int highest_cation = -1, highest_anion = -1;  // of the ions above; -1: there is none

  /// Of one volume of solution.
  struct Answer {
    double reaction;  // - sum_i 4 pi l c_i z_i exp(-z_i phi)
    double slope;     // its derivative, positive
  };

  IONWELL_HD Answer at(double phi_kT_e) const {
    Answer answer{0.0, 0.0};
    for (int i = 0; i < count; ++i) {
      const double exponent = -charge_e[i] * phi_kT_e;
      const double below = exponent < cap ? exponent : cap;
      const double rate = exp(below), value = rate * (1.0 + (exponent - below));
      answer.reaction -= strength_per_A2[i] * charge_e[i] * value;
      answer.slope += strength_per_A2[i] * charge_e[i] * charge_e[i] * rate;
    }
    return answer;
  }

  /// Whether the exponential is itself at this potential, for every ion.
  IONWELL_HD bool is_below_cap(double phi_kT_e) const {
    for (int i = 0; i < count; ++i)
      if (!(-charge_e[i] * phi_kT_e <= cap)) return false;
    return true;
  }

  /// How far a point goes when Newton's method takes it by `step`. Where the ions answer less steeply than
  /// `stiffness_per_A2`, the diagonal of the rest of the equation for one volume of solution, all the way;
  /// beyond, only by what brings as many ions as the linearised equation asks for: their number rises
  /// exponentially, and the full step would overshoot by orders of magnitude. Small steps are not changed to
  /// first order, so that convergence stays quadratic.
  IONWELL_HD double bounded_step(double phi_kT_e, double step_kT_e, double stiffness_per_A2) const {
    const double target = phi_kT_e + step_kT_e, sign = target > 0.0 ? 1.0 : -1.0;
    const int ion = target > 0.0 ? highest_anion : highest_cation;
    if (ion < 0) return step_kT_e;
    const double z = fabs(charge_e[ion]);
    const double even = log(stiffness_per_A2 / (strength_per_A2[ion] * z * z)) / z;
    const double base = fmax(fmax(sign * phi_kT_e, even), 1.0 / z);
    const double beyond = sign * target - base;
    if (beyond <= 0.0) return step_kT_e;
    return sign * (base + log1p(z * beyond) / z) - phi_kT_e;
  }
};

/// Throws Error for ions that are too many.
IonicSolution ionic_solution(const PbSystem& system);

}  // namespace ionwell
