// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

#include "core/error.hpp"
#include "electrostatics/periodic/periodic_sum.hpp"
#include "electrostatics/periodic/plain_ewald.hpp"

using namespace ionwell;

namespace {

constexpr double kT_A = 7.1;  // a prefactor that is not 1

std::vector<PairPotential> pairs_of_every_kind() {
  return {{PairPotential::Kind::coulomb, kT_A, 0.0},
          {PairPotential::Kind::distance_dependent, kT_A, 0.0},
          {PairPotential::Kind::debye_hueckel, kT_A, 0.1},
          {PairPotential::Kind::debye_hueckel, kT_A, 1e-2},
          {PairPotential::Kind::debye_hueckel, kT_A, 2.0}};
}

/// Alpha with which the plain sum takes few images and few waves.
double plain_alpha_per_A(const CellVectors& vectors) {
  return std::sqrt(3.14159265) / std::cbrt(PeriodicCell(vectors).volume_A3());
}

enum class Net { neutral, charged };

std::vector<PointCharge> random_charges(const PeriodicCell& cell, int count, Net net, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> anywhere(-1.0, 2.0), charge_e(-1.0, 1.0);
  std::vector<PointCharge> charges(std::size_t(std::max(count, 1)));
  double sum_e = 0.0;
  for (PointCharge& q : charges) {
    q.position_A = cell.cartesian_A({anywhere(random), anywhere(random), anywhere(random)});
    q.charge_e = charge_e(random) + (net == Net::charged ? 0.4 : 0.0);
    sum_e += q.charge_e;
  }
  if (net == Net::neutral) charges.back().charge_e -= sum_e;
  return charges;
}

/// Anywhere, some on what a grid might have as points.
std::vector<Vec3<double>> random_points(const PeriodicCell& cell, int count) {
  std::mt19937 random(99);
  std::uniform_real_distribution<double> anywhere(-2.0, 2.0);
  std::vector<Vec3<double>> points(static_cast<std::size_t>(count));
  for (Vec3<double>& p : points) p = cell.cartesian_A({anywhere(random), anywhere(random), anywhere(random)});
  points[0] = {};
  points[1] = 0.5 * cell.reduced().a;
  points[2] = 0.25 * cell.reduced().b + 0.5 * cell.reduced().c;
  return points;
}

void check_against_plain(const NamedCell& c, const PairPotential& pair,
                         const std::vector<PointCharge>& charges, const std::vector<Vec3<double>>& points,
                         double tolerance = 1e-9) {
  CAPTURE(std::string(c.name));
  CAPTURE(int(pair.kind));
  CAPTURE(pair.kappa_per_A);
  const PeriodicCell cell(c.vectors);
  const std::vector<double> values = periodic_potential(cell, pair, charges, points, {.threads = 1});
  REQUIRE(values.size() == points.size());
  // The plain sum in the reduced cell, whose waves are fewest; that it is the same lattice is tested
  // elsewhere.
  const double alpha_per_A = plain_alpha_per_A(c.vectors);
  double largest = 0.0, error = 0.0;
  for (std::size_t n = 0; n < points.size(); ++n) {
    const double exact = plain_ewald(cell.reduced(), pair, charges, points[n], alpha_per_A);
    largest = std::max(largest, std::abs(exact));
    error = std::max(error, std::abs(values[n] - exact));
  }
  CHECK(largest > 0.0);
  // Ten times what was asked for, which is an expected error; and rounding, which is relative to what the
  // charges do by themselves.
  double squares = 0.0;
  for (const PointCharge& q : charges) squares += q.charge_e * q.charge_e;
  const double distance_A = std::min(4.0, cell.inscribed_radius_A());
  const double usual = std::sqrt(squares) * pair.at(distance_A * distance_A);
  CHECK(error <= tolerance * largest + 1e-12 * usual);
}

}  // namespace

TEST_CASE("periodic potential: the plain Ewald sum gives Madelung's constants and does not depend on alpha") {
  const PairPotential unit{PairPotential::Kind::coulomb, 1.0, 0.0};
  const CellVectors cube{{2, 0, 0}, {0, 2, 0}, {0, 0, 2}};
  std::vector<PointCharge> rock_salt;  // nearest neighbours at 1
  for (int k = 0; k < 2; ++k)
    for (int j = 0; j < 2; ++j)
      for (int i = 0; i < 2; ++i)
        if (i + j + k > 0)
          rock_salt.push_back({{double(i), double(j), double(k)}, (i + j + k) % 2 == 0 ? 1.0 : -1.0});
  for (const double alpha : {0.7, 1.0, 1.6}) {
    CAPTURE(alpha);
    const double images = plain_own_images(cube, unit, alpha);
    CHECK(plain_ewald(cube, unit, rock_salt, {}, alpha) + images ==
          doctest::Approx(-1.747564594633).epsilon(1e-12));
    const std::vector<PointCharge> middle{{{1, 1, 1}, -1.0}};
    CHECK((plain_ewald(cube, unit, middle, {}, alpha) + images) * std::sqrt(3.0) ==
          doctest::Approx(-1.762674773071).epsilon(1e-12));
  }
  for (const NamedCell& c : cells_of_all_shapes())
    for (const PairPotential& pair : pairs_of_every_kind()) {
      CAPTURE(std::string(c.name));
      CAPTURE(int(pair.kind));
      CAPTURE(pair.kappa_per_A);
      const PeriodicCell cell(c.vectors);
      const double alpha = plain_alpha_per_A(c.vectors);
      const std::vector<PointCharge> charge{{{1, 2, 0.5}, 1.0}};
      const double value = plain_ewald(c.vectors, pair, charge, {}, alpha);
      CHECK(plain_ewald(cell.reduced(), pair, charge, {}, 1.2 * alpha) ==
            doctest::Approx(value).epsilon(1e-12).scale(pair.prefactor));
      CHECK(plain_own_images(c.vectors, pair, alpha) ==
            doctest::Approx(plain_own_images(cell.reduced(), pair, 1.2 * alpha)).epsilon(1e-12).scale(1));
    }
}

TEST_CASE("periodic potential: agrees with the plain sum in cells of any shape, for each pair potential") {
  for (const NamedCell& c : cells_of_all_shapes())
    for (const PairPotential& pair : pairs_of_every_kind())
      for (const Net net : {Net::neutral, Net::charged}) {
        const PeriodicCell cell(c.vectors);
        check_against_plain(c, pair, random_charges(cell, 12, net, 5), random_points(cell, 8));
      }
}

TEST_CASE("periodic potential: one charge, and points on top of charges and nearly so") {
  for (const NamedCell& c : cells_of_all_shapes())
    for (const PairPotential& pair : pairs_of_every_kind()) {
      const PeriodicCell cell(c.vectors);
      check_against_plain(c, pair, random_charges(cell, 1, Net::charged, 3), random_points(cell, 5));
      const std::vector<PointCharge> charges = random_charges(cell, 3, Net::charged, 4);
      std::vector<Vec3<double>> points;
      for (const double away_A : {0.0, 4e-4, 9e-4, 1.1e-3})
        points.push_back(charges[1].position_A + cell.vectors().b + Vec3<double>{0, away_A, 0});
      check_against_plain(c, pair, charges, points);
    }
}

TEST_CASE("periodic potential: far from a small solute that is neutral, where little is left") {
  const NamedCell c{"cube", cell_vectors({{60, 60, 60}, {90, 90, 90}})};
  const std::vector<PointCharge> dipole{{{30, 30, 30}, 0.5}, {{30.9, 30, 30}, -0.5}};
  const std::vector<Vec3<double>> points{{1, 2, 3}, {5, 57, 4}, {55, 55, 55}};
  for (const PairPotential& pair : pairs_of_every_kind())
    if (pair.kappa_per_A < 1) check_against_plain(c, pair, dipole, points);
}

TEST_CASE("periodic potential: many charges near few points, and many points near few charges") {
  const NamedCell c{"triclinic", cell_vectors({{22, 34, 46}, {81, 67, 103}})};
  const PeriodicCell cell(c.vectors);
  for (const PairPotential& pair : pairs_of_every_kind()) {
    check_against_plain(c, pair, random_charges(cell, 400, Net::neutral, 1), random_points(cell, 4));
    check_against_plain(c, pair, random_charges(cell, 4, Net::neutral, 2), random_points(cell, 300));
  }
}

TEST_CASE("periodic potential: its smooth part is the sum of the waves, whatever the Ewald factor") {
  for (const NamedCell& c : cells_of_all_shapes()) {
    if (PeriodicCell(c.vectors).volume_A3() > 12000.0) continue;  // of many waves
    CAPTURE(std::string(c.name));
    const PeriodicCell cell(c.vectors);
    const std::vector<Vec3<double>> points = random_points(cell, 6);
    for (const PairPotential& pair : pairs_of_every_kind())
      for (const double per_A : {0.1, 0.3}) {
        CAPTURE(int(pair.kind));
        CAPTURE(per_A);
        const std::vector<PointCharge> charges = random_charges(cell, 9, Net::charged, 5);
        const std::vector<double> values = periodic_potential(
            cell, pair, charges, points, {.tolerance = 1e-9, .threads = 1, .smooth_per_A = per_A});
        double scale = 0.0;
        for (const PointCharge& q : charges) scale += std::abs(q.charge_e) * pair.at(16.0);
        for (std::size_t n = 0; n < points.size(); ++n)
          CHECK(std::abs(values[n] - plain_smooth_ewald(cell.reduced(), pair, charges, points[n], per_A)) <
                1e-8 * scale);
      }
  }
  const PeriodicCell cube(cell_vectors({{20, 20, 20}, {90, 90, 90}}));
  const std::vector<PointCharge> one = {{{1, 2, 3}, 1.0}};
  const std::vector<Vec3<double>> there = {{4, 5, 6}};
  for (const double per_A : {0.0, 0.01, 6.0, -1.0, std::nan("")})
    CHECK_THROWS_AS(periodic_potential(cube, {PairPotential::Kind::coulomb, 1.0, 0.0}, one, there,
                                       {.smooth_per_A = per_A}),
                    UsageError);
}

TEST_CASE("periodic potential: the same bits for any number of threads") {
  const PeriodicCell cell(cell_vectors({{22, 34, 46}, {81, 67, 103}}));
  const std::vector<PointCharge> charges = random_charges(cell, 3000, Net::charged, 8);
  const std::vector<Vec3<double>> points = random_points(cell, 2000);
  for (const PairPotential& pair : pairs_of_every_kind()) {
    const auto one = periodic_potential(cell, pair, charges, points, {.threads = 1});
    CHECK(one == periodic_potential(cell, pair, charges, points, {.threads = 3}));
    CHECK(one == periodic_potential(cell, pair, charges, points, {.threads = 2}));
  }
}

TEST_CASE("periodic potential: looser tolerances, other instruction sets, and what is refused") {
  const PeriodicCell cell(cell_vectors({{22, 34, 46}, {81, 67, 103}}));
  const PairPotential pair{PairPotential::Kind::coulomb, kT_A, 0.0};
  const std::vector<PointCharge> charges = random_charges(cell, 200, Net::charged, 8);
  const std::vector<Vec3<double>> points = random_points(cell, 100);
  const auto exact = periodic_potential(cell, pair, charges, points, {.tolerance = 1e-12});
  double largest = 0.0;
  for (const double v : exact) largest = std::max(largest, std::abs(v));
  for (const double tolerance : {1e-3, 1e-6, 1e-8, 1e-10}) {
    CAPTURE(tolerance);
    const auto values = periodic_potential(cell, pair, charges, points,
                                           {.tolerance = tolerance, .simd = SimdLevel::baseline});
    double error = 0.0;
    for (std::size_t n = 0; n < values.size(); ++n) error = std::max(error, std::abs(values[n] - exact[n]));
    CHECK(error <= tolerance * largest);
  }
  CHECK_THROWS_AS(periodic_potential(cell, pair, charges, points, {.tolerance = 0.1}), UsageError);
  CHECK_THROWS_AS(periodic_potential(cell, pair, charges, points, {.tolerance = 0.0}), UsageError);
}

TEST_CASE("periodic potential: nothing in, nothing out, and it can be cancelled") {
  const PeriodicCell cell(cell_vectors({{22, 34, 46}, {81, 67, 103}}));
  const PairPotential pair{PairPotential::Kind::coulomb, kT_A, 0.0};
  CHECK(periodic_potential(cell, pair, random_charges(cell, 5, Net::charged, 8), {}).empty());
  CHECK(periodic_potential(cell, pair, {}, random_points(cell, 3)) == std::vector<double>(3));
  const std::vector<PointCharge> zero{{{1, 2, 3}, 0.0}};
  CHECK(periodic_potential(cell, pair, zero, random_points(cell, 3)) == std::vector<double>(3));
  double before = -1.0;
  const auto watch = [&](double part) {
    CHECK(part >= before);
    CHECK(part <= 1.0);
    before = part;
    if (part > 0.5) throw Error("cancelled");
  };
  CHECK_THROWS_WITH_AS(periodic_potential(cell, pair, random_charges(cell, 50, Net::charged, 8),
                                          random_points(cell, 30), {}, watch),
                       "cancelled", Error);
}
