// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "electrostatics/multilevel/multilevel_plan.hpp"
#include "support/cases.hpp"
#include "support/error_of.hpp"
#include "support/reference.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

constexpr std::array all_bases{MultilevelBasis::cubic, MultilevelBasis::bspline4, MultilevelBasis::bspline6,
                               MultilevelBasis::bspline8};
constexpr std::array splines{MultilevelBasis::bspline4, MultilevelBasis::bspline6, MultilevelBasis::bspline8};

/// The basis function that sits at 0, by asking for the weights at x.
double basis_at(MultilevelBasis basis, double x) {
  std::array<double, 8> weights{};
  const std::int64_t first = basis_weights(basis, x, weights.data());
  return first <= 0 && first + basis_order(basis) > 0 ? weights[std::size_t(-first)] : 0.0;
}

/// Centred B-spline of order p as a sum of truncated powers.
double bspline(int p, double x) {
  double sum = 0.0, binomial = 1.0, factorial = 1.0;
  for (int k = 0; k <= p; ++k) {
    const double reach = x + 0.5 * p - k;
    if (reach > 0.0) sum += (k % 2 == 0 ? 1.0 : -1.0) * binomial * std::pow(reach, p - 1);
    binomial *= double(p - k) / (k + 1);
  }
  for (int k = 2; k < p; ++k) factorial *= k;
  return sum / factorial;
}

/// Hardy et al. 2009, eq. 12, written out.
double published_cubic(double x) {
  x = std::abs(x);
  if (x <= 1.0) return 1.0 - 2.5 * x * x + 1.5 * x * x * x;
  if (x <= 2.0) return 2.0 - 4.0 * x + 2.5 * x * x - 0.5 * x * x * x;
  return 0.0;
}

LatticeGeometry cube(std::int64_t points, double spacing_A = 0.5) {
  return {{-3, 4, 5}, {spacing_A, spacing_A, spacing_A}, {points, points, points}};
}

MultilevelPlan plan_for(const PairPotential& pair, const MultilevelOptions& options,
                        std::int64_t points = 90) {
  return multilevel_plan(cube(points), {}, pair, options);
}

std::vector<NamedPair> pairs_of(const MultilevelOptions& options) {
  std::vector<NamedPair> result = pairs();
  if (options.basis == MultilevelBasis::cubic)
    std::erase_if(result,
                  [](const NamedPair& p) { return p.pair.kind == PairPotential::Kind::debye_hueckel; });
  return result;
}

}  // namespace

TEST_CASE("multilevel: basis functions sum to one, wherever the position") {
  Random random(500);
  for (const MultilevelBasis basis : all_bases)
    for (int n = 0; n < 200; ++n) {
      CAPTURE(std::string(to_string(basis)));
      const double x = n < 20 ? 0.25 * n - 2.0 : random.between(-50.0, 50.0);
      std::array<double, 8> weights{};
      const std::int64_t first = basis_weights(basis, x, weights.data());
      double sum = 0.0, mean = 0.0;
      for (int i = 0; i < basis_order(basis); ++i) {
        sum += weights[std::size_t(i)];
        mean += weights[std::size_t(i)] * double(first + i);
      }
      CHECK(sum == doctest::Approx(1.0).epsilon(1e-14));
      CHECK(mean == doctest::Approx(x).epsilon(1e-13));  // and straight lines are reproduced
      CHECK(double(first + basis_order(basis) / 2 - 1) <= x);
      CHECK(double(first + basis_order(basis) / 2) > x);
    }
}

TEST_CASE("multilevel: B-splines are those of the textbook") {
  Random random(501);
  for (const MultilevelBasis basis : splines)
    for (int n = 0; n < 300; ++n) {
      const double x = random.between(-5.0, 5.0);
      CHECK(basis_at(basis, x) == doctest::Approx(bspline(basis_order(basis), x)).epsilon(1e-11).scale(1.0));
    }
}

TEST_CASE("multilevel: the cubic basis is the published one and interpolates") {
  for (int i = -4; i <= 4; ++i) CHECK(basis_at(MultilevelBasis::cubic, i) == (i == 0 ? 1.0 : 0.0));
  Random random(502);
  for (int n = 0; n < 300; ++n) {
    const double x = random.between(-3.0, 3.0);
    CHECK(basis_at(MultilevelBasis::cubic, x) ==
          doctest::Approx(published_cubic(x)).epsilon(1e-12).scale(1.0));
  }
}

TEST_CASE("multilevel: a coarse basis function is the transfer weights' sum of fine ones") {
  Random random(503);
  for (const MultilevelBasis basis : all_bases) {
    CAPTURE(std::string(to_string(basis)));
    const std::vector<float> weights = transfer_weights(basis);
    REQUIRE(weights.size() % 2 == 1);
    const int radius = int(weights.size()) / 2;
    for (int n = 0; n < 200; ++n) {
      // The cubic basis is not refinable: there the sum agrees on the fine grid's points only.
      const double x = basis == MultilevelBasis::cubic ? double(random.below(13) - 6) : random.between(-9, 9);
      double sum = 0.0;
      for (int k = -radius; k <= radius; ++k)
        sum += weights[std::size_t(k + radius)] * basis_at(basis, x - k);
      CHECK(sum == doctest::Approx(basis_at(basis, 0.5 * x)).epsilon(1e-7).scale(1.0));  // weights are fp32
    }
  }
}

TEST_CASE("multilevel: Taylor splitting meets the pair potential with two continuous derivatives") {
  for (const auto& [name, pair] : pairs_of(published_multilevel)) {
    CAPTURE(name);
    const MultilevelPlan plan = plan_for(pair, published_multilevel);
    const double a = published_multilevel.cutoff_A, d = 1e-3;
    const auto f = [&](double r) { return plan.long_range_kT_e(r); };
    // One-sided differences of second order in d, from inside and from outside.
    const auto slope = [&](double side) {
      return side * (-1.5 * f(a) + 2.0 * f(a + side * d) - 0.5 * f(a + 2 * side * d)) / d;
    };
    const auto curvature = [&](double side) {
      return (2.0 * f(a) - 5.0 * f(a + side * d) + 4.0 * f(a + 2 * side * d) - f(a + 3 * side * d)) / (d * d);
    };
    CHECK(f(a * (1 - 1e-13)) == doctest::Approx(f(a)).epsilon(1e-12));
    CHECK(slope(-1) == doctest::Approx(pair.derivatives(a).slope).epsilon(1e-5));
    CHECK(slope(1) == doctest::Approx(pair.derivatives(a).slope).epsilon(1e-5));
    CHECK(curvature(-1) == doctest::Approx(pair.derivatives(a).curvature).epsilon(1e-4));
    CHECK(curvature(1) == doctest::Approx(pair.derivatives(a).curvature).epsilon(1e-4));
    for (const double r : {12.0, 13.0, 50.0, 1000.0})
      CHECK(f(r) == doctest::Approx(reference_pair(pair, r)).epsilon(1e-13));
  }
  // Hardy et al. 2009: gamma(0) = 15/8; Stone et al. 2007: 3 for 1/r^2.
  CHECK(plan_for({PairPotential::Kind::coulomb, 1.0, 0.0}, published_multilevel).long_range_kT_e(0.0) ==
        doctest::Approx(1.875 / 12));
  CHECK(plan_for({PairPotential::Kind::distance_dependent, 1.0, 0.0}, published_multilevel)
            .long_range_kT_e(0.0) == doctest::Approx(3.0 / 144));
}

TEST_CASE("multilevel: Gaussians add up to the pair potential beyond the cutoff") {
  // The terms left out are exp(-9) of 1/r at the cutoff; farther away there is the trapezoidal rule's error.
  for (const double cutoff_A : {5.0, 6.0, 8.0, 12.0})
    for (const auto& [name, pair] : pairs()) {
      CAPTURE(name);
      CAPTURE(cutoff_A);
      const MultilevelPlan plan = plan_for(pair, {MultilevelBasis::bspline6, cutoff_A, cutoff_A / 5});
      const double diameter_A = 90 * 0.5 * std::sqrt(3.0);
      for (double r = cutoff_A; r < diameter_A; r *= 1.07) {
        CAPTURE(r);
        const double exact = reference_pair(pair, r);
        CHECK(std::abs(plan.long_range_kT_e(r) - exact) <
              (r < 1.2 * cutoff_A ? 3e-4 : 6e-6) * pair.prefactor / r *
                  (pair.kind == PairPotential::Kind::distance_dependent ? 4.0 / r : 1.0));
      }
    }
}

TEST_CASE("multilevel: the polynomial is the long-range part inside the cutoff") {
  for (const MultilevelOptions& options :
       {MultilevelOptions{}, published_multilevel, MultilevelOptions{MultilevelBasis::bspline4, 12.0, 2.0}})
    for (const auto& [name, pair] : pairs_of(options)) {
      CAPTURE(name);
      CAPTURE(options.cutoff_A);
      const MultilevelPlan plan = plan_for(pair, options);
      const double largest = plan.long_range_kT_e(0.0);
      for (double r = 0.0; r <= options.cutoff_A; r += 0.01) {
        const double s = (r / options.cutoff_A) * (r / options.cutoff_A), z = 2.0 * s - 1.0;
        float sum = 0.0f;  // in fp32, as it is used
        for (std::size_t n = plan.long_range_polynomial.size(); n-- > 0;)
          sum = sum * float(z) + plan.long_range_polynomial[n];
        CHECK(std::abs(double(sum) - plan.long_range_kT_e(r)) < 1e-6 * largest);
      }
    }
}

TEST_CASE("multilevel: grids cover lattice and charges, each with twice the spacing of the one before") {
  const std::vector<PointCharge> charges{{{-40.0, 4.0, 7.0}, 1.0}, {{3.0, 60.25, 5.0}, -1.0}};
  for (const MultilevelBasis basis : all_bases) {
    const MultilevelOptions options{basis, 8.0, 1.25};
    const MultilevelPlan plan = multilevel_plan(cube(30), charges, pair_potential({}), options);
    REQUIRE(plan.levels.size() >= 2);
    for (const MultilevelLevel& level : plan.levels)
      CHECK(level.gaussians.empty() != level.stencil.weights.empty());
    const LatticeGeometry& finest = plan.levels.front().grid;
    for (const Vec3<double>& p : {charges[0].position_A, charges[1].position_A, cube(30).position_A(0),
                                  cube(30).position_A(cube(30).size() - 1)})
      for (const auto& [x, count] : {std::pair{p.x - finest.origin_A.x, finest.counts.x},
                                     {p.y - finest.origin_A.y, finest.counts.y},
                                     {p.z - finest.origin_A.z, finest.counts.z}}) {
        std::array<double, 8> weights{};
        const std::int64_t first = basis_weights(basis, x / 1.25, weights.data());
        CHECK(first >= 0);
        CHECK(first + plan.order <= count);
      }
    std::int64_t bytes = 0;
    for (std::size_t l = 0; l < plan.levels.size(); ++l) {
      const LatticeGeometry& grid = plan.levels[l].grid;
      bytes += 4 * grid.size();
      CHECK(grid.spacing_A == std::pow(2.0, double(l)) * finest.spacing_A);
      const Vec3<double> offset = grid.origin_A - finest.origin_A;
      for (const double x : {offset.x, offset.y, offset.z})
        CHECK(std::remainder(x, 1.25) == doctest::Approx(0.0).scale(1.0).epsilon(1e-9));
    }
    CHECK(multilevel_bytes(cube(30), charges, pair_potential({}), options) >= bytes);
  }
}

TEST_CASE("multilevel: the corners of a structure give the grid of its charges") {
  std::vector<Atom> atoms(5);
  atoms[0].position_A = {-90.0, 0.0, 0.0};  // without a charge
  atoms[1] = {.position_A = {-20.5, 3.0, 70.25}, .charge_e = 0.5};
  atoms[2] = {.position_A = {4.0, -33.0, 8.0}, .charge_e = -1.0};
  atoms[3] = {.position_A = {61.0, 2.0, -1.0}, .charge_e = 0.25};
  atoms[4].position_A = {0.0, 0.0, 500.0};
  const LatticeGeometry lattice = cube(30);
  for (const std::size_t count : {std::size_t{1}, std::size_t{2}, atoms.size()}) {
    const std::span some(atoms.data(), count);
    const LatticeGeometry grid = finest_grid(lattice, corner_charges(some), {});
    CHECK(grid == finest_grid(lattice, point_charges(some), {}));
    CHECK((grid == finest_grid(lattice, {}, {})) == (count == 1));
  }
  CHECK(corner_charges({}).empty());
}

TEST_CASE("multilevel: a long thin lattice needs no more memory than it is long") {
  for (const MultilevelBasis basis : all_bases) {
    CAPTURE(std::string(to_string(basis)));
    const MultilevelPlan plan = multilevel_plan({{0, 0, 0}, {0.5, 0.5, 0.5}, {2000, 2, 3}}, {},
                                                pair_potential({}), {basis, 12.0, 2.0});
    std::size_t weights = 0;
    for (const MultilevelLevel& level : plan.levels) weights += level.stencil.weights.size();
    CHECK(weights < 1'000'000);
  }
}

TEST_CASE("multilevel: what it cannot do is refused") {
  const PairPotential coulomb = pair_potential({});
  const auto message = [&](const LatticeGeometry& lattice, const PairPotential& pair,
                           const MultilevelOptions& options) {
    CHECK_THROWS_AS(multilevel_plan(lattice, {}, pair, options), UsageError);
    return error_of([&] { multilevel_plan(lattice, {}, pair, options); });
  };
  CHECK(message({{0, 0, 0}, {0.5, 0.5, 0.6}, {9, 9, 9}}, coulomb, {}) ==
        "multilevel summation needs the same lattice spacing on all axes, not 0.5, 0.5, 0.6 A; use --method "
        "direct");
  CHECK(message(cube(9), pair_potential({.ionic_strength_M = 0.1}), published_multilevel) ==
        "the cubic basis has no splitting for Debye-Hueckel potentials; use --tune msm-basis=bspline8");
  for (const double bad : {0.0, -1.0, 200.0, double(NAN), double(INFINITY)}) {
    CAPTURE(bad);
    MultilevelOptions options;
    options.spacing_A = bad;
    CHECK(message(cube(9), coulomb, options).find("--tune msm-spacing is ") == 0);
  }
  for (const double bad : {0.0, -6.0, 1.9, 1e4, 300.0, double(NAN), double(INFINITY)}) {
    CAPTURE(bad);
    MultilevelOptions options;
    options.cutoff_A = bad;
    CHECK(message(cube(9), coulomb, options).find("--tune msm-cutoff is ") == 0);
  }
}
