// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <cstddef>
#include <vector>

namespace ionwell::test {

/// Radial distributions of a 1:1 electrolyte of equal hard spheres (the restricted primitive model) by the
/// hypernetted chain, which Monte Carlo is within a percent or two of at 0.1 to 1 M in water: the
/// Ornstein-Zernike equations of the sum and the difference of like and unlike pairs, with Coulomb's tail,
/// l erf(a r)/r, taken out of the direct correlation function (Ng, J. Chem. Phys. 61:2680, 1974).
class HypernettedChain {
 public:
  static constexpr std::size_t points = 600;

  /// `sphere_steps` steps are a diameter; `ions_per_A3` of both signs together.
  HypernettedChain(double diameter_A, int sphere_steps, double bjerrum_A, double ions_per_A3)
      : step_A(diameter_A / sphere_steps), like(points, 0.0), unlike(points, 0.0) {
    const double dk = pi / (step_A * double(points)), a = 0.5;
    std::vector<double> sum(points, 0.0), difference(points, 0.0);  // gamma = h - c, times r
    std::vector<double> c_sum(points), c_difference(points);
    for (int round = 0; round < 2000; ++round) {
      for (std::size_t n = 1; n < points; ++n) {
        const double r = step_A * double(n), u = bjerrum_A * std::erfc(a * r) / r;
        const double of_like = (sum[n] + difference[n]) / r, of_unlike = (sum[n] - difference[n]) / r;
        const bool overlaps = int(n) < sphere_steps;
        like[n] = overlaps ? 0.0 : std::exp(of_like - u);
        unlike[n] = overlaps ? 0.0 : std::exp(of_unlike + u);
        const double c_like = like[n] - 1.0 - of_like, c_unlike = unlike[n] - 1.0 - of_unlike;
        c_sum[n] = 0.5 * r * (c_like + c_unlike);
        c_difference[n] = 0.5 * r * (c_like - c_unlike);
      }
      std::vector<double> k_sum = transformed(c_sum, 4.0 * pi * step_A),
                          k_difference = transformed(c_difference, 4.0 * pi * step_A);
      for (std::size_t n = 1; n < points; ++n) {
        const double k = dk * double(n);
        const double of_sum = k_sum[n] / k, of_difference = k_difference[n] / k;
        const double tail = 4.0 * pi * bjerrum_A * std::exp(-k * k / (4.0 * a * a)) / (k * k);
        const double whole = of_difference - tail;
        k_sum[n] = k * (of_sum / (1.0 - ions_per_A3 * of_sum) - of_sum);
        k_difference[n] = k * (whole / (1.0 - ions_per_A3 * whole) - of_difference);
      }
      const double back = dk / (2.0 * pi * pi);
      const std::vector<double> new_sum = transformed(k_sum, back),
                                new_difference = transformed(k_difference, back);
      double change = 0.0;
      constexpr double mixing = 0.5;
      for (std::size_t n = 1; n < points; ++n) {
        change = std::fmax(change, std::abs(new_difference[n] - difference[n]));
        change = std::fmax(change, std::abs(new_sum[n] - sum[n]));
        sum[n] += mixing * (new_sum[n] - sum[n]);
        difference[n] += mixing * (new_difference[n] - difference[n]);
      }
      has_converged = change < 1e-7;
      if (has_converged) break;
    }
  }

  double step_A;
  std::vector<double> like, unlike;  // g at n * step_A
  bool has_converged = false;

  /// Ions around one between two steps, a density of 1 far away.
  static double shell(const std::vector<double>& g, double step_A, std::size_t first, std::size_t last) {
    double sum = 0.0;
    for (std::size_t n = first; n <= last; ++n) {
      const double r = step_A * double(n), part = n == first || n == last ? 0.5 : 1.0;
      sum += part * 4.0 * pi * r * r * g[n] * step_A;
    }
    return sum;
  }

 private:
  static constexpr double pi = 3.141592653589793;

  /// factor * sum_m from[m] sin(pi n m / points)
  static std::vector<double> transformed(const std::vector<double>& from, double factor) {
    static const std::vector<double> sines = [] {
      std::vector<double> table(2 * points);
      for (std::size_t n = 0; n < 2 * points; ++n) table[n] = std::sin(pi * double(n) / double(points));
      return table;
    }();
    std::vector<double> to(points, 0.0);
    for (std::size_t n = 1; n < points; ++n) {
      double sum = 0.0;
      std::size_t at = 0;
      for (std::size_t m = 1; m < points; ++m) {
        at += n;
        if (at >= 2 * points) at -= 2 * points;
        sum += from[m] * sines[at];
      }
      to[n] = factor * sum;
    }
    return to;
  }
};

}  // namespace ionwell::test
