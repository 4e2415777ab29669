// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "placement/at_points/periodic_action.hpp"
#include "placement/at_points/scattered_points.hpp"

/// Ions that go to scattered points by whatever estimates, against plain code.
namespace ionwell::test {

struct ScatteredCase {
  std::string name;
  std::vector<Vec3<double>> points_A;
  std::vector<double> potential_kT_e;
};

/// In a slab of 80 x 80 x 20 A around 0; every fifth case with many equal values.
inline ScatteredCase random_case(std::size_t points, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> along(-40.0, 40.0), value(-300.0, 20.0);
  ScatteredCase result{std::to_string(points) + " points", {}, {}};
  for (std::size_t i = 0; i < points; ++i) {
    result.points_A.push_back({along(random), along(random), along(random) / 4});
    const double v = value(random);
    result.potential_kT_e.push_back(seed % 5 == 0 ? 30.0 * std::rint(v / 30.0) : v);
  }
  return result;
}

/// Point by point, as a textbook would.
struct PlainPoints {
  ScatteredCase points;
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
inline void compare(const IonAction& action, const ScatteredCase& c, int ions, int threads,
                    const EstimatesMaker& estimates = {}) {
  CAPTURE(c.name);
  CAPTURE(threads);
  const std::size_t count = c.points_A.size();
  std::vector<std::uint8_t> available(count, 1);
  for (std::size_t i = 5; i < count; i += 7) available[i] = 0;
  constexpr double tie_kT_e = 1e-6;
  ScatteredPoints points(c.points_A, c.potential_kT_e, available, action,
                         {.tie_kT_e = tie_kT_e, .threads = threads, .estimates = estimates});
  PlainPoints plain{c, available};
  std::int64_t placed = 0;
  for (int ion = 0; ion < ions; ++ion) {
    const double charge_e = ion % 5 == 4 ? -1.0 : (ion % 7 == 3 ? -2.0 : 2.0);
    const std::optional<std::size_t> found = points.lowest_energy_point(charge_e);
    REQUIRE(found == plain.lowest(charge_e, tie_kT_e * std::abs(charge_e)));
    if (!found) break;
    const ScatteredPoints::Earlier now{*found, points.charges()};
    CHECK(points.potentials_kT_e({&now, 1}).front() == points.potential_kT_e(*found));
    CHECK(points.was_summed(*found));
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
  CHECK(points.note().empty());
  CHECK(points.available_points() == std::count(plain.available.begin(), plain.available.end(), 1));
  if (count >= 3'000) {
    CHECK(points.exact_sums() < placed * 40);
    CHECK(points.groups_updated() < placed * 60);  // of 94 groups or more
  }
}

/// All points that are available must be among those whose energies are within any bound, with lower bounds
/// that are off by `most_off_kT_e` for each charge at most, after charges that came in several parts.
inline void check_bounds(const IonAction& action, const ScatteredCase& c, PointEstimates& estimates,
                         const std::vector<std::uint8_t>& available_before, double most_off_kT_e) {
  CAPTURE(c.name);
  PlainPoints plain{c, available_before};
  std::mt19937 random(3);
  const auto count = std::uint32_t(c.points_A.size());
  for (int round = 0; round < 3; ++round) {
    std::vector<PointCharge> charges;
    for (int n = 0; n < 37; ++n)  // more than a launch has
      charges.push_back(
          {c.points_A[random() % count] + Vec3<double>{1.5, -1.0, 0.5}, n % 2 == 0 ? 1.0 : -0.9});
    plain.add(action, charges, 0.0);
    estimates.add(charges);
    for (int n = 0; n < 300; ++n) {  // and here, too
      const std::uint32_t point = random() % count;
      plain.available[point] = 0;
      estimates.take_away(point);
    }
    for (const double charge_e : {2.0, -1.0}) {
      const std::vector<PointEstimates::Candidate> all = estimates.candidates(charge_e, 1e9);
      REQUIRE(std::int64_t(all.size()) == std::count(plain.available.begin(), plain.available.end(), 1));
      REQUIRE(all.size() > 1024);
      for (std::size_t n = 0; n < all.size(); ++n) {
        const double exact_kT = charge_e * plain.points.potential_kT_e[all[n].point];
        REQUIRE(plain.available[all[n].point] == 1);
        REQUIRE(all[n].least_kT <= exact_kT);
        REQUIRE(all[n].least_kT > exact_kT - most_off_kT_e * std::abs(charge_e) * 37 * (round + 1));
        if (n > 0) REQUIRE(all[n - 1].least_kT <= all[n].least_kT);
      }
    }
  }
  for (std::uint32_t point = 0; point < count; ++point) estimates.take_away(point);
  CHECK(estimates.candidates(1.0, 1.0).empty());
}

inline std::vector<PairPotential> pairs_of_each_kind() {
  return {pair_potential({}), pair_potential({.ddd_per_A = 3.0}), pair_potential({.ionic_strength_M = 0.15})};
}

/// In open space, where only arithmetic is in error, and with polynomials where images are 30 A from a ball.
constexpr double open_error_kT_e = 1e-3, polynomial_error_kT_e = 0.2;

/// Cells that are cubic, a rhombic dodecahedron, a truncated octahedron and triclinic.
inline std::vector<UnitCell> cells_with_polynomials() {
  return {unit_cell({{80, 80, 60}, {90, 90, 90}}), unit_cell({{85, 85, 85}, {60, 60, 90}}),
          unit_cell({{86, 86, 86}, {70.528779, 109.471221, 70.528779}}),
          unit_cell({{82, 80, 70}, {81, 67, 103}})};
}

}  // namespace ionwell::test
