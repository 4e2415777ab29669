// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/poisson_boltzmann/exact_spheres.hpp"

#include <array>
#include <cmath>

namespace ionwell::test {
namespace {

/// Modified spherical Bessel function of the second kind times a constant, k_n(x) exp(x), and its derivative
/// with respect to x, also times exp(x).
std::array<double, 2> decaying(int n, double x) {
  double before = 1 / x, now = 1 / x + 1 / (x * x);  // k_0, k_1
  if (n == 0) return {before, -now};
  for (int m = 1; m < n; ++m) {
    const double next = before + (2 * m + 1) / x * now;
    before = now;
    now = next;
  }
  return {now, -before - (n + 1) / x * now};
}

double legendre(int n, double x) {
  double before = 1.0, now = x;
  if (n == 0) return before;
  for (int m = 1; m < n; ++m) {
    const double next = ((2 * m + 1) * x * now - m * before) / (m + 1);
    before = now;
    now = next;
  }
  return now;
}

}  // namespace

KirkwoodSphere::Potential KirkwoodSphere::at(double charge_z_A, double r_A, double cosine) const {
  // Inside: l z^n / (e_i r^(n+1)) + A r^n. Between: B r^n + C r^-(n+1). Outside: D k_n(kappa r).
  const double R = radius_A, a = ion_radius_A, s = charge_z_A;
  Potential result{0.0, 0.0};
  constexpr int terms = 60;
  for (int n = 0; n < terms; ++n) {
    // Of B = 1: C and D from the outer sphere, where phi and its slope go on. Without salt B is 0.
    double b_over_c = 0.0, outer = 1.0;
    if (kappa_per_A > 0.0) {
      const auto [k, slope] = decaying(n, kappa_per_A * a);
      const double q = kappa_per_A * a * slope / k;  // r phi' / phi
      b_over_c = std::pow(a, -2 * n - 1) * (q + n + 1) / (n - q);
      outer = (b_over_c * std::pow(a, n) + std::pow(a, -n - 1)) / k;
    }
    // At the inner sphere, with C = 1: phi = g, e_o phi' = e_o h.
    const double g = b_over_c * std::pow(R, n) + std::pow(R, -n - 1);
    const double h = b_over_c * n * std::pow(R, n - 1) - (n + 1) * std::pow(R, -n - 2);
    const double source = bjerrum_A / inside * std::pow(s, n);
    // source R^-(n+1) + A R^n = C g; inside (-(n+1) source R^-(n+2) + n A R^(n-1)) = outside C h.
    const double c =
        -inside * (2 * n + 1) * source * std::pow(R, -n - 2) / (outside * h - inside * n * g / R);
    const double A = (c * g - source * std::pow(R, -n - 1)) / std::pow(R, n);
    const double p = legendre(n, cosine);
    if (r_A < R) {
      result.reaction_kT_e += A * std::pow(r_A, n) * p;
    } else if (r_A < a || !(kappa_per_A > 0.0)) {
      result.total_kT_e += c * (b_over_c * std::pow(r_A, n) + std::pow(r_A, -n - 1)) * p;
    } else {
      const auto [k, slope] = decaying(n, kappa_per_A * r_A);
      result.total_kT_e += c * outer * k * std::exp(-kappa_per_A * (r_A - a)) * p;
    }
  }
  return result;
}

TwoSpheres::Reaction TwoSpheres::solve() const {
  constexpr int terms = 60;
  const std::array<double, 2> R{radius_1_A, radius_2_A}, q{charge_1_e, charge_2_e};
  std::array<std::array<double, terms>, 2> b{}, field{};  // what leaves each sphere, what reaches it
  for (int sphere = 0; sphere < 2; ++sphere)
    b[std::size_t(sphere)][0] = bjerrum_A / outside * q[std::size_t(sphere)];
  for (int round = 0; round < 200; ++round)
    for (int sphere = 0; sphere < 2; ++sphere) {
      const auto own = std::size_t(sphere), other = std::size_t(1 - sphere);
      for (int m = 0; m < terms; ++m) {
        double sum = 0.0, binomial = 1.0;  // of n + m over m
        for (int n = 0; n < terms; ++n) {
          // Seen from sphere 1 the other's odd multipoles change sign; from sphere 2 the field's odd parts.
          const int sign = (sphere == 0 ? n : m) % 2 == 0 ? 1 : -1;
          sum += sign * binomial * b[other][std::size_t(n)] * std::pow(distance_A, -n - m - 1);
          binomial *= double(n + 1 + m) / double(n + 1);
        }
        field[own][std::size_t(m)] = sum;
        if (m > 0)
          b[own][std::size_t(m)] =
              -sum * std::pow(R[own], 2 * m + 1) * m * (inside - outside) / (m * inside + (m + 1) * outside);
      }
    }
  const auto reaction = [&](std::size_t s) {
    return bjerrum_A * q[s] / R[s] * (1 / outside - 1 / inside) + field[s][0];
  };
  return {reaction(0), reaction(1)};
}

}  // namespace ionwell::test
