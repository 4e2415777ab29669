// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>

#include "electrostatics/pair_potential.hpp"

namespace ionwell {

/// A pair potential f(r) of prefactor 1 as a short-range part, summed over pairs, and a smooth part, known by
/// its Fourier transform (Ewald 1921). Every kind is a mixture of Gaussians exp(-t^2 r^2):
///   coulomb             2/sqrt(pi) dt                        (t from 0 to infinity)
///   debye_hueckel       2/sqrt(pi) exp(-kappa^2 / 4 t^2) dt
///   distance_dependent  2 t dt
/// and those with t > alpha are the short-range part. Of coulomb and distance_dependent the sum over all
/// images has no limit; their potential has mean zero over the cell, as in a neutralising background: the
/// term k = 0 is left out and the mean of the short-range part taken off. A screened potential has a limit,
/// and keeps both. All lengths are in A. Usable on both sides.
struct EwaldSplit {
  PairPotential::Kind kind = PairPotential::Kind::coulomb;
  double kappa_per_A = 0.0;
  double alpha_per_A = 1.0;

  /// Of the same kind as `pair`; one without screening is coulomb's.
  static EwaldSplit of(const PairPotential& pair, double alpha_per_A) {
    if (pair.kind == PairPotential::Kind::debye_hueckel && !(pair.kappa_per_A > 0))
      return {PairPotential::Kind::coulomb, 0.0, alpha_per_A};
    return {pair.kind, pair.kind == PairPotential::Kind::debye_hueckel ? pair.kappa_per_A : 0.0, alpha_per_A};
  }

  /// f(r), for r > 0.
  IONWELL_HD double whole(double r_A) const {
    if (kind == PairPotential::Kind::distance_dependent) return 1.0 / (r_A * r_A);
    return (kind == PairPotential::Kind::coulomb ? 1.0 : std::exp(-kappa_per_A * r_A)) / r_A;
  }

  /// The short-range part, for r > 0; r times it for coulomb and debye_hueckel, r^2 times it for
  /// distance_dependent, is 1 at r = 0 and falls smoothly.
  IONWELL_HD double short_range(double r_A) const {
    const double x = alpha_per_A * r_A;
    if (kind == PairPotential::Kind::distance_dependent) return std::exp(-x * x) / (r_A * r_A);
    if (kind == PairPotential::Kind::coulomb) return std::erfc(x) / r_A;
    const double screening = kappa_per_A * r_A, b = kappa_per_A / (2 * alpha_per_A);
    if (screening > strongest_screening) return 0.0;
    return (std::erfc(x + b) * std::exp(screening) + std::erfc(x - b) * std::exp(-screening)) / (2 * r_A);
  }

  /// f(r) less the short-range part, also at r = 0.
  IONWELL_HD double smooth(double r_A) const {
    const double x = alpha_per_A * r_A;
    if (kind == PairPotential::Kind::distance_dependent)
      return x * x > smallest_argument ? -std::expm1(-x * x) / (r_A * r_A) : alpha_per_A * alpha_per_A;
    if (kind == PairPotential::Kind::coulomb)
      return x > smallest_argument ? std::erf(x) / r_A : 2 * alpha_per_A / root_pi;
    const double screening = kappa_per_A * r_A, b = kappa_per_A / (2 * alpha_per_A);
    if (screening > strongest_screening) return 0.0;
    // (g(r) - g(-r)) / 2r with g(r) = exp(-kappa r) erfc(b - alpha r); near 0 its Taylor series.
    if (x + screening < 1e-3) {
      const double e = std::erfc(b), slope = 2 * alpha_per_A / root_pi * std::exp(-b * b);
      const double kappa2 = kappa_per_A * kappa_per_A;
      const double third = (kappa2 - 2 * alpha_per_A * alpha_per_A) * slope - kappa_per_A * kappa2 * e;
      return slope - kappa_per_A * e + third * r_A * r_A / 6;
    }
    return (std::exp(-screening) * std::erfc(b - x) - std::exp(screening) * std::erfc(b + x)) / (2 * r_A);
  }

  /// Fourier transform of the smooth part [A^2, or A for distance_dependent] at the squared wave number `k2`
  /// [1/A^2], above 0; 0 at k = 0, for which there is `mean`.
  IONWELL_HD double transform(double k2) const {
    if (!(k2 > 0)) return 0.0;
    if (kind == PairPotential::Kind::distance_dependent) {
      const double k = std::sqrt(k2);
      return 2 * pi * pi / k * std::erfc(k / (2 * alpha_per_A));
    }
    return screened_transform(k2 + kappa_per_A * kappa_per_A);
  }

  /// What every unit charge adds everywhere besides, times the cell's volume: less the short-range part's
  /// integral, or the smooth part's term of k = 0. Apart from the other waves, for in a neutral system it
  /// cancels, and with weak screening each charge's is large.
  IONWELL_HD double mean() const {
    if (kind == PairPotential::Kind::coulomb) return -pi / (alpha_per_A * alpha_per_A);
    if (kind == PairPotential::Kind::distance_dependent) return -2 * pi * root_pi / alpha_per_A;
    return screened_transform(kappa_per_A * kappa_per_A);
  }

  static constexpr double pi = 3.14159265358979323846;
  static constexpr double root_pi = 1.77245385090551602730;

 private:
  IONWELL_HD double screened_transform(double sum_per_A2) const {
    return 4 * pi / sum_per_A2 * std::exp(-sum_per_A2 / (4 * alpha_per_A * alpha_per_A));
  }

  static constexpr double strongest_screening = 700.0;  // exp(-700) is 1e-304
  static constexpr double smallest_argument = 1e-150;   // its square is a normal number
};

}  // namespace ionwell
