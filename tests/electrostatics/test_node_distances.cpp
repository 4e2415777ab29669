// SPDX-License-Identifier: BSD-3-Clause
#include "electrostatics/node_distances.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace ionwell {
namespace {

/// Where a charge is that lies in this direction from the middle of a block, at this distance from the
/// nearest point; relative to the first point.
Vec3<double> charge_away(const Vec3<double>& spacing_A, const Vec3<double>& direction, double distance_A) {
  const double last = block_edge - 1;
  const Box block{{0, 0, 0}, {last * spacing_A.x, last * spacing_A.y, last * spacing_A.z}};
  const Vec3<double> middle = 0.5 * block.highest_A;
  double low = 0.0, high = distance_A + 10.0 * (block.highest_A.x + block.highest_A.y + block.highest_A.z);
  for (int n = 0; n < 60; ++n) {
    const double way = 0.5 * (low + high);
    (distance_range(block, middle + way * direction).nearest_A < distance_A ? low : high) = way;
  }
  return middle + high * direction;
}

/// Largest relative error of the polynomials over the points of a block, for one charge.
template <int n>
double largest_error(const PairPotential& pair, const Vec3<double>& spacing_A, const Vec3<double>& charge_A) {
  const auto at = [&](double a, double b, double c) {
    const Vec3<double> d = Vec3<double>{a * spacing_A.x, b * spacing_A.y, c * spacing_A.z} - charge_A;
    return pair.at(dot(d, d));
  };
  using Nodes = BlockNodes<n>;
  std::vector<double> values;
  for (int c = 0; c < n; ++c)
    for (int b = 0; b < n; ++b)
      for (int a = 0; a < n; ++a)
        values.push_back(at(Nodes::position(a), Nodes::position(b), Nodes::position(c)));
  double largest = 0.0;
  for (int z = 0; z < block_edge; ++z)
    for (int y = 0; y < block_edge; ++y)
      for (int x = 0; x < block_edge; ++x) {
        double sum = 0.0;
        for (std::size_t i = 0; i < values.size(); ++i) {
          const int a = int(i) % n, b = int(i) / n % n, c = int(i) / (n * n);
          sum += values[i] * Nodes::weight(a, x) * Nodes::weight(b, y) * Nodes::weight(c, z);
        }
        largest = std::max(largest, std::abs(sum / at(x, y, z) - 1.0));
      }
  return largest;
}

template <int n>
double largest_error_at(const PairPotential& pair, const Vec3<double>& spacing_A, double distance_A) {
  double largest = 0.0;
  for (Vec3<double> way : {Vec3<double>{1, 0, 0},
                           {0, -1, 0},
                           {1, 1, 0},
                           {1, -1, 1},
                           {0.2, 1, -0.1},
                           {-1, -2, -2},
                           {1, 1, 0.5}}) {
    way = (1.0 / std::sqrt(dot(way, way))) * way;
    largest = std::max(largest, largest_error<n>(pair, spacing_A, charge_away(spacing_A, way, distance_A)));
  }
  return largest;
}

const PairPotential coulomb = pair_potential({}), by_distance = pair_potential({.ddd_per_A = 4.0});

PairPotential screened(double kappa_per_A) {
  return {PairPotential::Kind::debye_hueckel, coulomb.prefactor, kappa_per_A};
}

template <int n>
void check_nodes() {
  CAPTURE(n);
  const Vec3<double> spacings_A[] = {{0.5, 0.5, 0.5}, {0.3, 0.6, 0.45}, {1.0, 0.25, 1.0}};
  for (const Vec3<double>& h : spacings_A) {
    const double largest_A = std::max({h.x, h.y, h.z});
    for (const PairPotential& pair : {coulomb, by_distance, screened(0.002 / largest_A),
                                      screened(0.02 / largest_A), screened(0.06 / largest_A)}) {
      const double distance_A = distance_for_nodes_A(pair, largest_A, n);
      const double error = pair.kappa_per_A > 0 ? screened_error_between_nodes : error_between_nodes;
      CAPTURE(pair.kappa_per_A);
      CAPTURE(distance_A);
      for (const double more : {1.0, 1.3, 2.0, 5.0}) {
        if (!std::isfinite(distance_A)) continue;
        CHECK(largest_error_at<n>(pair, h, more * distance_A) <= error);
      }
    }
  }
}

}  // namespace

TEST_CASE("nodes of a block: polynomials give the potential of a charge that is far away") {
  check_nodes<4>();
  check_nodes<5>();
}

TEST_CASE("nodes of a block: no farther away than they need, and only where the screening lets them") {
  CHECK(distance_for_nodes_A(coulomb, 0.5, 5) == doctest::Approx(16.8).epsilon(0.01));
  CHECK(distance_for_nodes_A(coulomb, 0.5, 4) == doctest::Approx(40.25).epsilon(0.01));
  CHECK(distance_for_nodes_A(coulomb, 1.0, 4) == doctest::Approx(80.5).epsilon(0.01));
  CHECK(distance_for_nodes_A(by_distance, 0.5, 5) == doctest::Approx(24.0).epsilon(0.01));
  CHECK(largest_error_at<5>(coulomb, {0.5, 0.5, 0.5}, 15.0) > error_between_nodes);
  CHECK(largest_error_at<4>(coulomb, {0.5, 0.5, 0.5}, 37.0) > error_between_nodes);
  CHECK(distance_for_nodes_A(screened(1e-9), 0.5, 5) <= distance_for_nodes_A(coulomb, 0.5, 5));
  CHECK(std::isfinite(distance_for_nodes_A(screened(0.12), 0.5, 5)));
  CHECK(std::isinf(distance_for_nodes_A(screened(0.12), 0.5, 4)));
  CHECK(std::isinf(distance_for_nodes_A(screened(0.12), 1.0, 5)));
  // Where it is finite and far, the error still stays within the bound.
  const double kappa_per_A = 0.08;
  const double far_A = distance_for_nodes_A(screened(kappa_per_A), 1.0, 5);
  REQUIRE(far_A > 80.0);
  REQUIRE(std::isfinite(far_A));
  for (const double distance_A : {far_A, 3.0 * far_A})
    CHECK(largest_error_at<5>(screened(kappa_per_A), {1.0, 1.0, 1.0}, distance_A) <=
          screened_error_between_nodes);
}

TEST_CASE("nodes of a block: a polynomial is 1 at its node and 0 at the others, and their sum is 1") {
  const auto check = []<int n>(BlockNodes<n> nodes) {
    CHECK(nodes.position(0) == 0.0);
    CHECK(nodes.position(n - 1) == block_edge - 1.0);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        CHECK(nodes.weight(i, nodes.position(j)) == doctest::Approx(double(i == j)).epsilon(1e-14));
    for (int x = 0; x < block_edge; ++x) {
      double sum = 0.0;
      for (int i = 0; i < n; ++i) sum += nodes.weight(i, x);
      CHECK(sum == doctest::Approx(1.0).epsilon(1e-14));
    }
  };
  check(BlockNodes<4>{});
  check(BlockNodes<5>{});
}

}  // namespace ionwell
