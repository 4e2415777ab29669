// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>

#include "core/host_device.hpp"

/// The multilevel basis functions, for every backend.
namespace ionwell {

/// B-spline of an order at `order` consecutive integers' distances, by the recursion of Cox and de Boor: on
/// return weights[i] = M_order(u + order - 1 - i), 0 <= u < 1.
template <typename Real>
IONWELL_HD inline void bspline_weights(int order, Real u, Real* weights) {
  weights[0] = Real(1);
  for (int p = 2; p <= order; ++p) {
    const Real inverse = Real(1) / Real(p - 1);
    weights[p - 1] = u * weights[p - 2] * inverse;
    for (int i = p - 2; i > 0; --i)
      weights[i] = ((u + Real(p - 1 - i)) * weights[i - 1] + (Real(i + 1) - u) * weights[i]) * inverse;
    weights[0] *= (Real(1) - u) * inverse;
  }
}

/// Hardy et al. 2009, eq. 12: the C1 piecewise cubic that interpolates.
template <typename Real>
IONWELL_HD inline Real cubic_basis(Real x) {
  x = std::abs(x);
  if (x <= Real(1)) return (Real(1) - x) * (Real(1) + x - Real(1.5) * x * x);
  if (x <= Real(2)) return Real(-0.5) * (x - Real(1)) * (Real(2) - x) * (Real(2) - x);
  return Real(0);
}

/// Weights of the four points around a position `u` beyond the second of them.
template <typename Real>
IONWELL_HD inline void cubic_weights(Real u, Real* weights) {
  for (int i = 0; i < 4; ++i) weights[i] = cubic_basis(u + Real(1 - i));
}

}  // namespace ionwell
