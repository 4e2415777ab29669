// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>

#include "electrostatics/multilevel/basis_function.hpp"
#include "electrostatics/multilevel/multilevel_plan.hpp"

namespace ionwell {

std::string_view to_string(MultilevelBasis basis) {
  switch (basis) {
    case MultilevelBasis::cubic:
      return "cubic";
    case MultilevelBasis::bspline4:
      return "bspline4";
    case MultilevelBasis::bspline6:
      return "bspline6";
    case MultilevelBasis::bspline8:
      return "bspline8";
  }
  return "unknown";
}

int basis_order(MultilevelBasis basis) {
  switch (basis) {
    case MultilevelBasis::bspline6:
      return 6;
    case MultilevelBasis::bspline8:
      return 8;
    default:
      return 4;
  }
}

std::int64_t basis_weights(MultilevelBasis basis, double x, double* weights) {
  const int order = basis_order(basis);
  const double below = std::floor(x);
  const std::int64_t first = std::int64_t(below) - order / 2 + 1;
  if (basis == MultilevelBasis::cubic)
    cubic_weights(x - below, weights);
  else
    bspline_weights(order, x - below, weights);
  return first;
}

std::vector<float> transfer_weights(MultilevelBasis basis) {
  const int order = basis_order(basis);
  if (basis ==
      MultilevelBasis::cubic) {  // its values at half steps: it interpolates, though it is not refinable
    std::vector<float> weights(7);
    for (int i = -3; i <= 3; ++i) weights[i + 3] = float(cubic_basis(0.5 * i));
    return weights;
  }
  std::vector<float> weights(order + 1);  // 2^(1-p) binomial(p, k)
  double value = std::pow(2.0, 1 - order);
  for (int k = 0; k <= order; ++k) {
    weights[k] = float(value);
    value *= double(order - k) / double(k + 1);
  }
  return weights;
}

}  // namespace ionwell
