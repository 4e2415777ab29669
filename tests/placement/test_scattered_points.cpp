#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

#include "placement/scattered/scattered_points.hpp"

using namespace ionwell;

namespace {

struct Case {
  std::string name;
  std::vector<Vec3<double>> points_A;
  std::vector<double> potential_kT_e;
};

Case random_case(std::size_t points, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> along(-40.0, 40.0), value(-300.0, 20.0);
  Case result{std::to_string(points) + " points", {}, {}};
  for (std::size_t i = 0; i < points; ++i) {
    result.points_A.push_back({along(random), along(random), along(random) / 4});
    result.potential_kT_e.push_back(value(random));
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

  void add(const PairPotential& pair, const PointCharge& ion, double limit_A2) {
    for (std::size_t i = 0; i < available.size(); ++i) {
      const double d2 = distance_squared(points.points_A[i], ion.position_A);
      points.potential_kT_e[i] += ion.charge_e * pair.at(d2);
      if (d2 <= limit_A2) available[i] = 0;
    }
  }
};

}  // namespace

TEST_CASE("scattered points: the lowest one is that of a search point by point, ion after ion") {
  for (const PairPotential& pair :
       {pair_potential({}), pair_potential({.ddd_per_A = 3.0}), pair_potential({.ionic_strength_M = 0.15})})
    for (const std::size_t count : {std::size_t{1}, std::size_t{31}, std::size_t{33}, std::size_t{3'000}}) {
      const Case c = random_case(count, unsigned(count));
      CAPTURE(c.name);
      const OpenAction action(pair);
      std::vector<std::uint8_t> available(count, 1);
      for (std::size_t i = 5; i < count; i += 7) available[i] = 0;
      ScatteredPoints points(c.points_A, c.potential_kT_e, available, action, 1e-6);
      PlainPoints plain{c, available};
      std::int64_t placed = 0;
      for (int ion = 0; ion < 40; ++ion) {
        const double charge_e = ion % 5 == 4 ? -1.0 : 2.0;
        const std::optional<std::size_t> found = points.lowest_energy_point(charge_e);
        REQUIRE(found == plain.lowest(charge_e, 1e-6 * std::abs(charge_e)));
        if (!found) break;
        CHECK(points.potential_kT_e(*found) ==
              doctest::Approx(plain.points.potential_kT_e[*found]).epsilon(1e-12));
        const PointCharge placed_ion{c.points_A[*found], charge_e};
        points.add_ion({&placed_ion, 1}, 25.0);
        plain.add(pair, placed_ion, 25.0);
        ++placed;
      }
      CHECK(placed > 0);
      CHECK(points.available_points() == std::count(plain.available.begin(), plain.available.end(), 1));
      if (count == 3'000) CHECK(points.groups_updated() < placed * 60);  // of 94 groups
    }
}

TEST_CASE("scattered points: of equal energies the first point has it, and none is left at the end") {
  const OpenAction action(pair_potential({}));
  std::vector<Vec3<double>> line;
  for (int i = 0; i < 100; ++i) line.push_back({double(99 - i), 0.0, 0.0});
  ScatteredPoints points(line, std::vector<double>(100, -1.0), std::vector<std::uint8_t>(100, 1), action,
                         1e-9);
  CHECK(points.lowest_energy_point(1.0) == 0);
  points.take_away(0);
  points.take_away(0);
  CHECK(points.available_points() == 99);
  CHECK(points.lowest_energy_point(-1.0) == 1);
  const PointCharge ion{{50.0, 0.0, 0.0}, 1.0};
  points.add_ion({&ion, 1}, 1e6);
  CHECK(points.available_points() == 0);
  CHECK(!points.lowest_energy_point(1.0));
  ScatteredPoints none({}, {}, {}, action, 1e-9);
  CHECK(!none.lowest_energy_point(1.0));
}
