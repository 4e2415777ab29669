// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "placement/at_points/open_action.hpp"
#include "placement/at_points/periodic_action.hpp"
#include "placement/at_points/scattered_points.hpp"

using namespace ionwell;

namespace {

struct Case {
  std::string name;
  std::vector<Vec3<double>> points_A;
  std::vector<double> potential_kT_e;
};

/// In a slab of 80 x 80 x 20 A around 0; every fifth case with many equal values.
Case random_case(std::size_t points, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> along(-40.0, 40.0), value(-300.0, 20.0);
  Case result{std::to_string(points) + " points", {}, {}};
  for (std::size_t i = 0; i < points; ++i) {
    result.points_A.push_back({along(random), along(random), along(random) / 4});
    const double v = value(random);
    result.potential_kT_e.push_back(seed % 5 == 0 ? 30.0 * std::rint(v / 30.0) : v);
  }
  return result;
}

/// Point by point, as a textbook would.
struct PlainPoints {
  Case points;
  std::vector<std::uint8_t> available;

  std::optional<std::size_t> lowest(double charge_e, double tie_kT) const {
    double best = 1e300;
    for (std::size_t i = 0; i < available.size(); ++i)
      if (available[i]) best = std::min(best, charge_e * points.potential_kT_e[i]);
    for (std::size_t i = 0; i < available.size(); ++i)
      if (available[i] && charge_e * points.potential_kT_e[i] <= best + tie_kT) return i;
    return {};
  }

  void add(const IonAction& action, const std::vector<PointCharge>& charges, double limit_A2) {
    for (std::size_t i = 0; i < available.size(); ++i) {
      for (const PointCharge& charge : charges)
        points.potential_kT_e[i] += charge.charge_e * action.at(points.points_A[i] - charge.position_A);
      const Vec3<double> d = action.shortest(points.points_A[i] - charges.front().position_A);
      if (dot(d, d) <= limit_A2) available[i] = 0;
    }
  }
};

/// Places ions both ways; with each goes what is left of a water that acted, for every second one.
void compare(const IonAction& action, const Case& c, int ions, int threads) {
  CAPTURE(c.name);
  CAPTURE(threads);
  const std::size_t count = c.points_A.size();
  std::vector<std::uint8_t> available(count, 1);
  for (std::size_t i = 5; i < count; i += 7) available[i] = 0;
  constexpr double tie_kT_e = 1e-6;
  ScatteredPoints points(c.points_A, c.potential_kT_e, available, action,
                         {.tie_kT_e = tie_kT_e, .threads = threads});
  PlainPoints plain{c, available};
  std::int64_t placed = 0;
  for (int ion = 0; ion < ions; ++ion) {
    const double charge_e = ion % 5 == 4 ? -1.0 : (ion % 7 == 3 ? -2.0 : 2.0);
    const std::optional<std::size_t> found = points.lowest_energy_point(charge_e);
    REQUIRE(found == plain.lowest(charge_e, tie_kT_e * std::abs(charge_e)));
    if (!found) break;
    const double exact = plain.points.potential_kT_e[*found];
    CHECK(std::abs(points.potential_kT_e(*found) - exact) < 1e-11 * (300 + std::abs(exact)));
    CHECK(points.solute_potential_kT_e(*found) == c.potential_kT_e[*found]);
    std::vector<PointCharge> charges{{c.points_A[*found], charge_e}};
    if (ion % 2 == 0) {
      charges.push_back({c.points_A[*found], 0.834});
      for (const double side : {-0.76, 0.76})
        charges.push_back({c.points_A[*found] + Vec3<double>{side, 0.59, 0.0}, -0.417});
    }
    if (ion % 3 == 2) {  // several before the next search, as the salt does
      const std::size_t other = (*found + count / 2) % count;
      const std::vector<PointCharge> lone{{c.points_A[other], -1.0}};
      points.add_ion(lone, 25.0);
      plain.add(action, lone, 25.0);
    }
    points.add_ion(charges, 25.0);
    plain.add(action, charges, 25.0);
    points.take_away(*found);
    plain.available[*found] = 0;
    ++placed;
  }
  CHECK(placed > 0);
  CHECK(points.available_points() == std::count(plain.available.begin(), plain.available.end(), 1));
  if (count >= 3'000) {
    CHECK(points.exact_sums() < placed * 40);
    CHECK(points.groups_updated() < placed * 60);  // of 94 groups or more
  }
}

std::vector<PairPotential> pairs_of_every_kind() {
  return {pair_potential({}), pair_potential({.ddd_per_A = 3.0}), pair_potential({.ionic_strength_M = 0.15})};
}

}  // namespace

TEST_CASE("scattered points: the lowest one is that of a search point by point, ion after ion") {
  for (const PairPotential& pair : pairs_of_every_kind()) {
    const OpenAction action(pair);
    for (const std::size_t count : {std::size_t{1}, std::size_t{31}, std::size_t{33}, std::size_t{3'000}})
      compare(action, random_case(count, unsigned(count)), 40, 1);
    for (unsigned seed = 1; seed <= 20; ++seed)
      compare(action, random_case(40 * seed, seed), 25, 1 + int(seed % 4));
  }
}

TEST_CASE("scattered points: the same in periodic cells, with polynomials for images and without") {
  for (const PairPotential& pair : pairs_of_every_kind())
    for (const UnitCell& cell :
         {unit_cell({{80, 80, 60}, {90, 90, 90}}), unit_cell({{85, 85, 85}, {60, 60, 90}}),
          unit_cell({{82, 80, 70}, {81, 67, 103}}), unit_cell({{80, 80, 25}, {90, 90, 90}})}) {
      CAPTURE(lengths_A(cell).z);
      CAPTURE(int(pair.kind));
      const PeriodicAction action(PeriodicCell(cell), pair, {.threads = 1});
      for (const int threads : angles_deg(cell).x == 81 ? std::vector{1, 2, 3, 4} : std::vector{2})
        compare(action, random_case(1'000, unsigned(4 + threads)), 25, threads);
    }
}

TEST_CASE("scattered points: of equal energies the first point has it, and none is left at the end") {
  const OpenAction action(pair_potential({}));
  std::vector<Vec3<double>> line;
  for (int i = 0; i < 100; ++i) line.push_back({double(99 - i), 0.0, 0.0});
  ScatteredPoints points(line, std::vector<double>(100, -1.0), std::vector<std::uint8_t>(100, 1), action,
                         {.tie_kT_e = 1e-9});
  CHECK(points.lowest_energy_point(1.0) == 0);
  points.take_away(0);
  points.take_away(0);
  CHECK(points.available_points() == 99);
  CHECK(points.lowest_energy_point(-1.0) == 1);
  // Far from both, at equal distances: the first of the two.
  const PointCharge middle{{49.5, 0.0, 0.0}, 1.0};
  ScatteredPoints even(line, std::vector<double>(100, -1.0), std::vector<std::uint8_t>(100, 1), action,
                       {.tie_kT_e = 1e-9});
  even.add_ion({&middle, 1}, 25.0);
  CHECK(even.lowest_energy_point(1.0) == 0);
  CHECK(even.lowest_energy_point(-1.0) == 44);
  const PointCharge ion{{50.0, 0.0, 0.0}, 1.0};
  points.add_ion({&ion, 1}, 1e6);
  CHECK(points.available_points() == 0);
  CHECK(!points.lowest_energy_point(1.0));
  ScatteredPoints none({}, {}, {}, action, {});
  CHECK(!none.lowest_energy_point(1.0));
}
