// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <vector>

#include "core/error.hpp"
#include "parallel/thread_pool.hpp"
#include "placement/at_points/group_estimates.hpp"
#include "placement/at_points/open_action.hpp"
#include "support/plain_estimates.hpp"
#include "support/scattered_points.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

/// What devices do, which fail after so many searches.
EstimatesMaker plain_estimates(const PairPotential& pair, const ImagePolynomials* images, int searches = -1) {
  return [=](const EstimatedPoints& points) {
    return std::make_unique<PlainEstimates>(pair, images, points, searches);
  };
}

}  // namespace

TEST_CASE("scattered points: the lowest one is that of a search point by point, ion after ion") {
  for (const PairPotential& pair : pairs_of_each_kind()) {
    const OpenAction action(pair);
    for (const std::size_t count : {std::size_t{1}, std::size_t{31}, std::size_t{33}, std::size_t{3'000}})
      compare(action, random_case(count, unsigned(count)), 40, 1);
    for (unsigned seed = 1; seed <= 20; ++seed)
      compare(action, random_case(40 * seed, seed), 25, 1 + int(seed % 4));
  }
}

TEST_CASE("scattered points: the same in periodic cells, with polynomials for images and without") {
  for (const PairPotential& pair : pairs_of_each_kind())
    for (const UnitCell& cell :
         {unit_cell({{80, 80, 60}, {90, 90, 90}}), unit_cell({{85, 85, 85}, {60, 60, 90}}),
          unit_cell({{82, 80, 70}, {81, 67, 103}}), unit_cell({{80, 80, 25}, {90, 90, 90}})}) {
      CAPTURE(lengths_A(cell).z);
      CAPTURE(int(pair.kind));
      const PeriodicAction action(PeriodicCell(cell), pair, {.threads = 1});
      for (const int threads : angles_deg(cell).x == 81 ? std::vector{1, 2, 3, 4} : std::vector{2})
        compare(action, random_case(1'000, unsigned(4 + threads)), 25, threads);
      CHECK((action.images() == nullptr) == (lengths_A(cell).z == 25));
    }
}

TEST_CASE("scattered points: the same with estimates point by point, as devices make them") {
  for (const PairPotential& pair : pairs_of_each_kind()) {
    CAPTURE(int(pair.kind));
    for (const std::size_t count : {1, 33, 3'000})
      compare(OpenAction(pair), random_case(count, unsigned(count)), 40, 1, plain_estimates(pair, nullptr));
    for (const UnitCell& cell : cells_with_polynomials()) {
      CAPTURE(angles_deg(cell).x);
      const PeriodicAction action(PeriodicCell(cell), pair, {.threads = 1});
      REQUIRE(action.images() != nullptr);
      compare(action, random_case(1'000, 5), 25, 1, plain_estimates(pair, action.images()));
    }
  }
}

TEST_CASE("scattered points: bounds of the estimates, on groups and point by point") {
  const ScatteredCase c = random_case(3'000, 8);
  std::vector<std::uint8_t> available(c.points_A.size(), 1);
  for (std::size_t n = 0; n < available.size(); n += 5) available[n] = 0;
  const PointGroups groups(c.points_A);
  const EstimatedPoints points{groups, c.points_A, c.potential_kT_e, available};
  ThreadPool pool(2);
  const auto check = [&](const IonAction& action, const PairPotential& pair, const ImagePolynomials* images) {
    const double most_off_kT_e = images == nullptr ? open_error_kT_e : polynomial_error_kT_e;
    GroupEstimates on_groups(points, action, SimdLevel::automatic, pool);
    check_bounds(action, c, on_groups, available, most_off_kT_e);
    check_bounds(action, c, *plain_estimates(pair, images)(points), available, most_off_kT_e);
  };
  for (const PairPotential& pair : pairs_of_each_kind()) {
    CAPTURE(int(pair.kind));
    check(OpenAction(pair), pair, nullptr);
    const PeriodicAction periodic(PeriodicCell(cells_with_polynomials().back()), pair, {.threads = 1});
    check(periodic, pair, periodic.images());
  }
}

TEST_CASE("scattered points: the host takes over from estimates that fail, at once or later") {
  const PairPotential pair = pair_potential({});
  const OpenAction action(pair);
  const ScatteredCase c = random_case(500, 9);
  const auto ions_by = [&](const EstimatesMaker& estimates, std::string& note) {
    ScatteredPoints points(c.points_A, c.potential_kT_e, std::vector<std::uint8_t>(500, 1), action,
                           {.tie_kT_e = 1e-9, .estimates = estimates});
    std::vector<std::size_t> ions;
    for (int n = 0; n < 8; ++n) {
      ions.push_back(points.lowest_energy_point(1.0).value());
      const PointCharge charge{points.position_A(ions.back()), 1.0};
      points.add_ion({&charge, 1}, 25.0);
    }
    note = points.note();
    return ions;
  };
  std::string note;
  const std::vector<std::size_t> expected = ions_by({}, note);
  CHECK(note.empty());
  for (const int searches : {0, 1, 5}) {
    CHECK(ions_by(plain_estimates(pair, nullptr, searches), note) == expected);
    CHECK(note == "the stand-in is gone");
  }
  const auto refuse = [](const EstimatedPoints&) -> std::unique_ptr<PointEstimates> { fail("no memory"); };
  CHECK(ions_by(refuse, note) == expected);
  CHECK(note == "no memory");
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
