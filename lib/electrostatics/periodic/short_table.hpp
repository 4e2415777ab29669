// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "electrostatics/periodic/chebyshev_fit.hpp"
#include "electrostatics/periodic/ewald_split.hpp"

namespace ionwell {

/// The short-range part of a split, one distance at a time: a polynomial for each of 64 intervals, to 1e-14
/// of the pair potential. 4 KB; 5 ns and a root and a division.
class ShortTable {
 public:
  ShortTable(const EwaldSplit& split, double cutoff_A)
      : of_square_(split.kind == PairPotential::Kind::distance_dependent),
        cutoff2_A2_(cutoff_A * cutoff_A),
        per_interval_(double(intervals) / (of_square_ ? cutoff2_A2_ : cutoff_A)) {
    for (int n = 0; n < intervals; ++n) {
      const std::vector<double> fit = chebyshev_fit(terms, 0.0, [&](long double t) {
        const double argument = (double(n) + double(t + 1) / 2) / per_interval_;
        const double r_A = of_square_ ? std::sqrt(argument) : argument;
        return argument * split.short_range(r_A);
      });
      std::copy(fit.begin(), fit.end(), coefficients_[std::size_t(n)].begin());
    }
  }

  double cutoff2_A2() const { return cutoff2_A2_; }

  /// Of a squared distance above 0 and below cutoff2_A2, with prefactor 1.
  double at(double r2_A2) const {
    const double argument = of_square_ ? r2_A2 : std::sqrt(r2_A2), x = argument * per_interval_;
    const int n = std::min(int(x), intervals - 1);
    const double t = 2 * (x - n) - 1;
    const std::array<double, terms>& c = coefficients_[std::size_t(n)];
    const double t2 = t * t, t4 = t2 * t2;
    const double low = (c[0] + c[1] * t) + (c[2] + c[3] * t) * t2,
                 high = (c[4] + c[5] * t) + (c[6] + c[7] * t) * t2;
    return (low + (high + c[8] * t4) * t4) / argument;
  }

 private:
  static constexpr int intervals = 64, terms = 9;

  bool of_square_;
  double cutoff2_A2_, per_interval_;
  std::array<std::array<double, terms>, intervals> coefficients_{};
};

}  // namespace ionwell
