#include <cmath>

#include "potential/multilevel_plan.hpp"

namespace ionwell {
namespace {

/// B-spline of order p at `order` consecutive integers' distances, by the recursion of Cox and de Boor: on
/// return weights[i] = M_p(u + p - 1 - i), 0 <= u < 1.
void bspline_weights(int order, double u, double* weights) {
  weights[0] = 1.0;
  for (int p = 2; p <= order; ++p) {
    weights[p - 1] = u * weights[p - 2] / (p - 1);
    for (int i = p - 2; i > 0; --i)
      weights[i] = ((u + p - 1 - i) * weights[i - 1] + (i + 1 - u) * weights[i]) / (p - 1);
    weights[0] *= (1.0 - u) / (p - 1);
  }
}

/// Hardy et al. 2009, eq. 12: the C1 piecewise cubic that interpolates.
double cubic(double x) {
  x = std::abs(x);
  if (x <= 1.0) return (1.0 - x) * (1.0 + x - 1.5 * x * x);
  if (x <= 2.0) return -0.5 * (x - 1.0) * (2.0 - x) * (2.0 - x);
  return 0.0;
}

}  // namespace

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
    for (int i = 0; i < order; ++i) weights[i] = cubic(x - double(first + i));
  else
    bspline_weights(order, x - below, weights);
  return first;
}

std::vector<float> transfer_weights(MultilevelBasis basis) {
  const int order = basis_order(basis);
  if (basis ==
      MultilevelBasis::cubic) {  // its values at half steps: it interpolates, though it is not refinable
    std::vector<float> weights(7);
    for (int i = -3; i <= 3; ++i) weights[i + 3] = float(cubic(0.5 * i));
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
