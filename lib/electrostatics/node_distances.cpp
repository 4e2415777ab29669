// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/node_distances.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ionwell {
namespace {

/// The n-th derivative of the potential with respect to the distance, over n! and the potential itself.
double relative_derivative(const PairPotential& pair, double distance_A, int n) {
  if (pair.kind == PairPotential::Kind::distance_dependent) return (n + 1) / std::pow(distance_A, n);
  // Of exp(-kappa r) / r: the sum over j of kappa^j / j! / r^(n - j).
  double sum = 0.0, of_kappa = 1.0;
  for (int j = 0; j <= n; ++j) {
    sum += of_kappa / std::pow(distance_A, n - j);
    of_kappa *= pair.kappa_per_A / (j + 1);
  }
  return sum;
}

}  // namespace

double distance_for_nodes_A(const PairPotential& pair, double spacing_A, int nodes) {
  constexpr double factor = 42.0;  // largest product of a point's distances from the nodes, in all directions
  const bool is_screened = pair.kind == PairPotential::Kind::debye_hueckel;
  const double error = is_screened ? screened_error_between_nodes : error_between_nodes;
  const auto is_enough = [&](double distance_A) {
    return factor * std::pow(spacing_A, nodes) * relative_derivative(pair, distance_A, nodes) <= error;
  };
  double low = spacing_A, high = 1e6 * spacing_A;
  if (!is_enough(high)) return std::numeric_limits<double>::infinity();
  while (high > 1.0001 * low) {
    const double middle = std::sqrt(low * high);
    (is_enough(middle) ? high : low) = middle;
  }
  return high;
}

NodeDistances node_distances(const PairPotential& pair, const Vec3<double>& spacing_A) {
  const double largest_A = std::max({spacing_A.x, spacing_A.y, spacing_A.z});
  const auto squared = [&](int nodes) {
    const double distance_A = distance_for_nodes_A(pair, largest_A, nodes);
    return float(distance_A * distance_A);
  };
  return {.five_A2 = squared(5), .four_A2 = squared(4)};
}

}  // namespace ionwell
