// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "placement/at_points/earlier_charges.hpp"
#include "placement/at_points/open_action.hpp"
#include "placement/at_points/periodic_action.hpp"
#include "support/cases.hpp"

using namespace ionwell;

namespace {

std::vector<PairPotential> pairs_of_every_kind() {
  return {pair_potential({}), pair_potential({.ddd_per_A = 3.0}), pair_potential({.ionic_strength_M = 0.15})};
}

/// Some crowded, some alone, some on top of each other.
std::vector<Vec3<double>> scattered_A(std::size_t count, double edge_A) {
  std::mt19937 random(41);
  std::uniform_real_distribution<double> along(-0.3 * edge_A, 1.2 * edge_A), near(-3.0, 3.0);
  std::vector<Vec3<double>> points_A{{edge_A, -edge_A, 2 * edge_A}};
  while (points_A.size() < count) {
    const Vec3<double> p{along(random), along(random), along(random)};
    points_A.push_back(p);
    for (int n = 0; n < 20; ++n)
      points_A.push_back(p + Vec3<double>{near(random), near(random), near(random)});
    points_A.push_back(p);
  }
  return points_A;
}

/// How many points' values, or the linear potentials of groups, are off by more than an action says.
int wrong_values(const IonAction& action, const std::vector<Vec3<double>>& points_A, double edge_A,
                 double* largest_error_kT_e) {
  const PointGroups groups(points_A);
  std::mt19937 random(42);
  std::uniform_real_distribution<double> along(0.0, edge_A);
  int wrong = 0;
  *largest_error_kT_e = 0.0;
  for (int n = 0; n < 12; ++n) {
    const Vec3<double> somewhere_A{along(random), along(random), along(random)};
    const PointCharge charge{n % 2 == 0 ? somewhere_A : points_A[std::size_t(n)] + Vec3<double>{0, 0.9, 0},
                             n % 3 == 0 ? -0.834 : 2.0};
    for (std::size_t g = 0; g < groups.size(); ++g) {
      std::vector<double> values(group_points, 100.0);
      const double error_kT_e = action.add({&charge, 1}, {groups, g, points_A, values.data()});
      *largest_error_kT_e = std::max(*largest_error_kT_e, error_kT_e);
      const std::span<const std::uint32_t> points = groups.points(g);
      const auto& [centre_A, radius_A] = groups.ball(g);
      const LinearPotential linear = action.linear(centre_A - charge.position_A, radius_A);
      for (std::size_t p = 0; p < points.size(); ++p) {
        const double linear_kT_e =
            linear.value_kT_e + dot(linear.slope_kT_e_A, points_A[points[p]] - centre_A);
        const double unit = action.at(points_A[points[p]] - charge.position_A);
        wrong += !(std::abs(linear_kT_e - unit) <= linear.rest_kT_e + 1e-12 * std::abs(unit));
        const double exact = charge.charge_e * unit;
        wrong += !(std::abs(values[p] - 100.0 - exact) <= error_kT_e + 1e-13 * (100 + std::abs(exact)));
      }
    }
  }
  return wrong;
}

}  // namespace

TEST_CASE("point groups: each point is in one, none reaches too far, and runs hold their groups") {
  for (const std::size_t count : {std::size_t{1}, std::size_t{32}, std::size_t{33}, std::size_t{5000}}) {
    std::vector<Vec3<double>> points_A = scattered_A(count, 60.0);
    points_A.resize(count);
    const PointGroups groups(points_A);
    std::vector<int> seen(count);
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const auto& [centre_A, radius_A] = groups.ball(g);
      CHECK(radius_A <= largest_group_radius_A);
      CHECK(groups.points(g).size() <= std::size_t(group_points));
      for (std::size_t p = 0; p < groups.points(g).size(); ++p) {
        const std::uint32_t point = groups.points(g)[p];
        ++seen[point];
        CHECK(groups.place(point) == g * group_points + p);
        CHECK(distance_squared(points_A[point], centre_A) <= radius_A * radius_A);
        CHECK(groups.places_A(g)[p] == float(points_A[point].x - centre_A.x));
      }
    }
    CHECK(std::count(seen.begin(), seen.end(), 1) == std::int64_t(count));
    std::size_t next = 0;
    for (const PointGroups::Run& run : groups.runs()) {
      CHECK(run.first == next);
      for (; next < run.last; ++next) {
        const auto& [centre_A, radius_A] = groups.ball(next);
        CHECK(std::sqrt(distance_squared(centre_A, run.ball.centre_A)) + radius_A <=
              run.ball.radius_A * (1 + 1e-12));
      }
    }
    CHECK(next == groups.size());
  }
}

TEST_CASE("point groups: the same for any number of threads") {
  const std::vector<Vec3<double>> points_A = scattered_A(20'000, 80.0);
  const PointGroups one(points_A);
  for (const int threads : {2, 7}) {
    const PointGroups several(points_A, threads);
    CHECK(std::ranges::equal(several.order(), one.order()));
    REQUIRE(several.size() == one.size());
    for (std::size_t g = 0; g < one.size(); ++g) CHECK(several.points(g).size() == one.points(g).size());
  }
}

TEST_CASE("ion action: a charge is added to groups to within what is said, near and far") {
  for (const SimdLevel level : test::simd_levels())
    for (const PairPotential& pair : pairs_of_every_kind()) {
      CAPTURE(std::string(to_string(level)));
      CAPTURE(int(pair.kind));
      double error_kT_e = 0.0;
      CHECK(wrong_values(OpenAction(pair, level), scattered_A(3000, 80.0), 80.0, &error_kT_e) == 0);
      CHECK(error_kT_e > 0.0);
      CHECK(error_kT_e < 1e-5 * pair.prefactor);
      for (const UnitCell& cell :
           {unit_cell({{80, 70, 75}, {90, 90, 90}}), unit_cell({{82, 82, 82}, {60, 60, 90}}),
            unit_cell({{75, 78, 70}, {81, 67, 103}}), unit_cell({{30, 31, 90}, {90, 90, 90}})}) {
        CAPTURE(lengths_A(cell).x);
        const PeriodicAction action(PeriodicCell(cell), pair, {.threads = 1, .simd = level});
        CHECK(wrong_values(action, scattered_A(1500, 80.0), 80.0, &error_kT_e) == 0);
        CHECK(error_kT_e < 6e-3 * pair.prefactor);
      }
    }
}

TEST_CASE("ion action: the potential of all charges that came before, few of them or many") {
  const PairPotential pair = pair_potential({});
  const PeriodicAction periodic(PeriodicCell(cell_vectors({{40, 44, 38}, {81, 67, 103}})), pair,
                                {.threads = 2});
  const OpenAction open(pair);
  for (const IonAction* const action :
       {static_cast<const IonAction*>(&periodic), static_cast<const IonAction*>(&open)})
    for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{50}, std::size_t{1100}}) {
      std::mt19937 random(43);
      std::uniform_real_distribution<double> along(0.0, 40.0);
      const auto somewhere = [&] { return Vec3<double>{along(random), along(random), along(random)}; };
      std::vector<PointCharge> charges;
      for (int n = 0; n < 7; ++n) charges.push_back({somewhere(), 2.0});
      std::vector<Vec3<double>> points_A;
      std::vector<std::size_t> before;
      for (std::size_t n = 0; n < count; ++n) {
        points_A.push_back(somewhere());
        before.push_back(charges.size());
        for (std::size_t c = 0; c <= n % 3; ++c) charges.push_back({points_A[n], c == 1 ? -1.3 : 0.5});
      }
      const std::vector<double> found = potential_of_earlier(*action, charges, points_A, before, 2);
      REQUIRE(found.size() == count);
      double largest_kT_e = 0.0;
      for (const double v : found) largest_kT_e = std::max(largest_kT_e, std::abs(v));
      for (std::size_t n = 0; n < count; n += 1 + count / 20) {
        double sum = 0.0;
        for (std::size_t c = 0; c < before[n]; ++c)
          sum += charges[c].charge_e * action->at(points_A[n] - charges[c].position_A);
        // Sums of many are right to 1e-10 of the largest at their points.
        CHECK(std::abs(found[n] - sum) < 1e-9 * largest_kT_e);
      }
    }
}
