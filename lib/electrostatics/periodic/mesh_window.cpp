// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/periodic/mesh_window.hpp"

#include <algorithm>
#include <cmath>

#include "electrostatics/periodic/chebyshev_fit.hpp"

namespace ionwell {
namespace {

/// The modified Bessel function of order 0 by its power series, of positive terms.
long double bessel_i0(long double x) {
  const long double quarter = x * x / 4;
  long double term = 1.0L, sum = 1.0L;
  for (int k = 1; term > 1e-20L * sum; ++k) {
    term *= quarter / (static_cast<long double>(k) * k);
    sum += term;
  }
  return sum;
}

}  // namespace

long double KaiserBessel::at(long double x) const {
  const long double z = 2 * x / width;
  return bessel_i0(beta * std::sqrt(std::max(0.0L, 1 - z * z))) / bessel_i0(beta);
}

double KaiserBessel::transform(double angle) const {
  const long double x = 0.5L * angle * width, s = static_cast<long double>(beta) * beta - x * x,
                    root = std::sqrt(std::abs(s));
  const long double ratio = root < 1e-8L ? 1.0L : (s > 0 ? std::sinh(root) : std::sin(root)) / root;
  return double(width * ratio / bessel_i0(beta));
}

double KaiserBessel::relative_bound(double angle) const {
  const double x = angle * double(width) / 2, s = beta * beta - x * x, root = std::sqrt(std::abs(s));
  const double at_0 = std::sinh(beta) / beta;
  if (s > 0) return (root < 1e-8 ? 1.0 : std::sinh(root) / root) / at_0;
  return std::min(1.0, 1 / root) / at_0;
}

MeshWindow::MeshWindow(const KaiserBessel& window)
    : width_(window.width), polynomials_(std::size_t(terms) * std::size_t(window.width)) {
  for (int p = 0; p < width_; ++p) {
    // t = -1 where the coordinate is on a grid point, 1 where it is on the next one.
    const std::vector<double> coefficients =
        chebyshev_fit(terms, 0.0, [&](long double t) { return window.at(p - width_ / 2 + 1 - (t + 1) / 2); });
    for (int d = 0; d < terms; ++d) polynomials_[std::size_t(d * width_ + p)] = coefficients[std::size_t(d)];
  }
}

}  // namespace ionwell
