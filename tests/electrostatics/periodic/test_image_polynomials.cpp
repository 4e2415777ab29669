// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "electrostatics/periodic/image_polynomials.hpp"
#include "electrostatics/periodic/image_tail.hpp"
#include "electrostatics/periodic/plain_ewald.hpp"
#include "electrostatics/periodic/polynomial_fit.hpp"

using namespace ionwell;

namespace {

constexpr double kT_A = 7.1;  // a prefactor that is not 1

std::vector<PairPotential> pairs_of_every_kind() {
  return {{PairPotential::Kind::coulomb, kT_A, 0.0},
          {PairPotential::Kind::distance_dependent, kT_A, 0.0},
          {PairPotential::Kind::debye_hueckel, kT_A, 0.02},
          {PairPotential::Kind::debye_hueckel, kT_A, 0.5}};
}

/// Cells of all shapes, so large that half the way to the next image is 12 A; a flat one and very oblique
/// ones.
std::vector<NamedCell> cells() {
  std::vector<NamedCell> all = cells_of_all_shapes();
  all.push_back({"flat", cell_vectors({{12, 70, 60}, {90, 90, 90}})});
  all.push_back({"oblique", cell_vectors({{30, 30, 30}, {35, 40, 38}})});
  all.push_back({"obtuse", cell_vectors({{30, 40, 50}, {118, 117, 119}})});
  for (NamedCell& cell : all) {
    auto& [a, b, c] = cell.vectors;
    const double scale = 12 / PeriodicCell(cell.vectors).inscribed_radius_A();
    cell.vectors = {scale * a, scale * b, scale * c};
  }
  return all;
}

class Random {
 public:
  explicit Random(unsigned seed) : random_(seed) {}

  double between(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }

  /// Half of the results have that length, the others are shorter.
  Vec3<double> step(double length) {
    Vec3<double> way;
    do way = {between(-1, 1), between(-1, 1), between(-1, 1)};
    while (dot(way, way) > 1 || dot(way, way) < 1e-6);
    return between(0, 1) < 0.5 ? length / std::sqrt(dot(way, way)) * way : length * way;
  }

 private:
  std::mt19937 random_;
};

}  // namespace

TEST_CASE("image polynomials: off by no more than they say, anywhere in balls, in cells of all shapes") {
  Random random(31);
  constexpr double radius_A = 2.0;
  for (const NamedCell& c : cells())
    for (const PairPotential& pair : pairs_of_every_kind()) {
      CAPTURE(std::string(c.name));
      CAPTURE(int(pair.kind));
      CAPTURE(pair.kappa_per_A);
      const PeriodicCell cell(c.vectors);
      constexpr double large_A3 = 1e5;  // takes a second for each kind
      if (cell.volume_A3() > large_A3 && pair.kind != PairPotential::Kind::coulomb) continue;
      const PeriodicPair psi(cell, pair, {.threads = 1});
      const ImagePolynomials polynomials(psi, radius_A, 1);
      int outside = 0;
      double largest_error = 0.0;
      for (int n = 0; n < 3000; ++n) {
        // Some of them next to the faces, edges and corners of the cell around the charge.
        const auto part = [&] { return n % 3 == 0 ? (random.between(0, 1) < 0.5 ? -0.5 : 0.5) : 0.0; };
        Vec3<double> fraction{part(), part(), part()};
        fraction = fraction + Vec3<double>{random.between(-0.6, 0.6), random.between(-1e-3, 1e-3),
                                           random.between(-1.5, 1.5)};
        const auto& [a, b, c_A] = cell.reduced();
        const Vec3<double> centre_A = fraction.x * a + fraction.y * b + fraction.z * c_A;
        const ImagePolynomials::Ball ball = polynomials.around(centre_A);
        CHECK(cell.distance_squared_A2(ball.difference_A, centre_A) < 1e-16 * dot(c_A, c_A));
        const Vec3<double> u_A = random.step(radius_A), d_A = ball.difference_A + u_A;
        if (dot(d_A, d_A) < 1e-4) continue;
        const double others = psi.at(centre_A + u_A) - pair.at(dot(d_A, d_A)),
                     found = ImageNodes::polynomial(ball.coefficients, ball.from_node_A + u_A);
        outside += !(std::abs(found - others) <= ball.node.error_kT_e);
        largest_error = std::max(largest_error, double(ball.node.error_kT_e));
        const double part_A = std::sqrt(dot(u_A, u_A));
        const ImagePolynomials::Linear linear = ImagePolynomials::linear(ball, part_A);
        outside +=
            !(std::abs(linear.value_kT_e + dot(linear.slope_kT_e_A, u_A) - others) <= linear.rest_kT_e);
      }
      CHECK(outside == 0);
      // Of what the charge itself does halfway to its image; wide cells have their nodes farther apart.
      const double half_A = cell.inscribed_radius_A(), wide = std::cbrt(cell.volume_A3()) / half_A;
      if (wide < 3) CHECK(largest_error < 0.3 * kT_A / half_A);
    }
}

TEST_CASE("image polynomials: the same for any number of threads, and refused where images are near") {
  const PeriodicCell cell(cell_vectors({{42, 54, 46}, {81, 67, 103}}));
  const PeriodicPair psi(cell, {PairPotential::Kind::coulomb, kT_A, 0.0});
  const ImagePolynomials one(psi, 4.0, 1), three(psi, 4.0, 3);
  for (const double x : {0.0, 1.7, 8.1}) {
    const Vec3<double> d{x, 2 * x, -x};
    const ImagePolynomials::Ball a = one.around(d), b = three.around(d);
    CHECK(ImageNodes::polynomial(a.coefficients, d) == ImageNodes::polynomial(b.coefficients, d));
    CHECK(a.node.error_kT_e == b.node.error_kT_e);
  }
  CHECK(ImagePolynomials::suit(cell, 4.0));
  CHECK_FALSE(ImagePolynomials::suit(cell, 9.0));
  CHECK_THROWS_WITH_AS(ImagePolynomials(psi, 9.0, 1), doctest::Contains("too near"), Error);
}

TEST_CASE("image tail: of a lone far image it is the tail of its series") {
  // A cell so long that one image matters: the others are 3 times as far.
  const PeriodicCell cell(cell_vectors({{20, 300, 300}, {90, 90, 90}}));
  for (const PairPotential& pair : pairs_of_every_kind()) {
    CAPTURE(int(pair.kind));
    CAPTURE(pair.kappa_per_A);
    constexpr int degree = 5;
    constexpr double radius_A = 3.0, s = 10.0;  // towards the image straight ahead
    // Coefficients of f(s - t) by powers of t, by multiplying series.
    double tail = 0.0, power = 1.0;
    for (int n = 0; n < 60; ++n, power *= radius_A / s) {
      double coefficient = 0.0;  // times s^n
      if (pair.kind == PairPotential::Kind::distance_dependent) {
        coefficient = (n + 1) / (s * s);
      } else {
        double term = std::exp(-pair.kappa_per_A * s) / s;
        for (int m = 0; m <= n; ++m, term *= pair.kappa_per_A * s / m) coefficient += term;
      }
      if (n > degree) tail += kT_A * coefficient * power;
    }
    const double bound = ImageTail(cell, pair, degree, radius_A).around({s, 0, 0});
    CHECK(bound >= tail);
    CHECK(bound < 1.2 * tail);
    CHECK(std::isinf(ImageTail(cell, pair, degree, 10.5).around({s, 0, 0})));
  }
}

TEST_CASE("polynomial fit: a polynomial is itself, and gains are bounds") {
  Random random(32);
  for (const NamedCell& c : cells()) {
    CAPTURE(std::string(c.name));
    const CellVectors steps_A = [&] {  // as the nodes of a cell are laid
      const PeriodicCell cell(c.vectors);
      const auto& [a, b, v] = cell.reduced();
      const auto length = [](const Vec3<double>& w) { return std::sqrt(dot(w, w)); };
      return CellVectors{1 / length(a) * a, 1 / length(b) * b, 1 / length(v) * v};
    }();
    constexpr int degree = 5;
    const PolynomialFit fit(steps_A, degree);
    std::vector<double> wanted(std::size_t(fit.terms())), found(wanted.size()), values;
    for (double& w : wanted) w = random.between(-1, 1);
    const auto value = [](const std::vector<double>& terms, const Vec3<double>& u) {
      double sum = 0.0;
      std::size_t t = 0;
      for (int k = 0; k <= degree; ++k)
        for (int j = 0; j <= degree - k; ++j)
          for (int i = 0; i <= degree - k - j; ++i, ++t)
            sum += terms[t] * std::pow(u.x, i) * std::pow(u.y, j) * std::pow(u.z, k);
      return sum;
    };
    const auto at = [&](const Vec3<int>& p) {
      return double(p.x) * steps_A.a + double(p.y) * steps_A.b + double(p.z) * steps_A.c;
    };
    for (const Vec3<int>& p : fit.points()) values.push_back(value(wanted, at(p)));
    fit.coefficients(values, found);
    for (std::size_t t = 0; t < wanted.size(); ++t)
      CHECK(found[t] == doctest::Approx(wanted[t]).epsilon(1e-9));

    constexpr double ball_A = 9.0;
    const PolynomialFit::Gains gains = fit.gains(ball_A);
    int outside = 0;
    double largest = 0.0;
    for (int n = 0; n < 300; ++n) {
      for (std::size_t p = 0; p < values.size(); ++p) values[p] = random.between(0, 1) < 0.5 ? -1 : 1;
      fit.coefficients(values, found);
      const Vec3<double> u = random.step(ball_A);
      outside += std::abs(value(found, u)) > gains.of_values;
      // The worst signs for the next point, and a tail.
      for (std::size_t p = 0; p < values.size(); ++p) {
        std::vector<double> one(values.size()), response(wanted.size());
        one[p] = 1.0;
        if (n >= 5) break;
        fit.coefficients(one, response);
        const double r = std::sqrt(dot(at(fit.points()[p]), at(fit.points()[p])));
        values[p] = std::copysign(std::pow(r / ball_A, degree + 1), value(response, u));
      }
      if (n >= 5) continue;
      fit.coefficients(values, found);
      outside += std::abs(value(found, u)) > gains.of_tail;
      largest = std::max(largest, std::abs(value(found, u)));
    }
    CHECK(outside == 0);
    CHECK(largest > 0.01 * gains.of_tail);
  }
}
