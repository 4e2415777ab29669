// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "lattice/mask.hpp"
#include "support/cases.hpp"
#include "support/reference.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

struct Problem {
  std::string name;
  LatticeGeometry lattice;
  std::vector<Vec3<double>> centres;
  double distance_A;
};

/// Points on which the masks differ; every level must give none. `count()` is compared too.
std::int64_t differences(const Problem& problem, SimdLevel level) {
  const BlockGrid grid(problem.lattice);
  Mask available(grid, level, 2);
  available.exclude(problem.centres, problem.distance_A * problem.distance_A + 5e-7);
  const std::vector<bool> excluded = excluded_by_solute(problem.lattice, problem.centres, problem.distance_A);
  std::int64_t wrong = 0, left = 0, any_wrong = 0;
  for (std::int64_t b = 0; b < grid.size(); ++b) {
    const Vec3<std::int64_t> first = grid.first_point(b);
    bool any = false;
    for (int p = 0; p < block_points; ++p) {
      const bool is_available = is_set(available.of_block(b), p);
      any = any || is_available;
      const bool inside = first.x + p % 8 < problem.lattice.counts.x &&
                          first.y + p / 8 % 8 < problem.lattice.counts.y &&
                          first.z + p / 64 < problem.lattice.counts.z;
      const bool expected = inside && !excluded[grid.lattice_index(b, p) * std::int64_t(inside)];
      wrong += is_available != expected;
      left += expected;
    }
    any_wrong += any != available.any(b);
  }
  CHECK(available.count() == left);
  CHECK(any_wrong == 0);
  return wrong;
}

void check(const Problem& problem) {
  CAPTURE(problem.name);
  CAPTURE(problem.distance_A);
  for (const SimdLevel level : simd_levels()) {
    CAPTURE(std::string(to_string(level)));
    CHECK(differences(problem, level) == 0);
  }
}

/// Centres on a lattice of 1e-3 A, so that d^2 equals r^2 exactly as often as it does in real files: the
/// points lie at 3-4-0, 2-3-6 and 1-2-2 multiples from them.
Problem touching(double spacing_A, double distance_A, Vec3<double> offset_A) {
  Problem result{"d equals r", {offset_A, {spacing_A, spacing_A, spacing_A}, {33, 31, 29}}, {}, distance_A};
  const Vec3<double> middle = result.lattice.position_A(16, 15, 14);
  const double r = distance_A;
  for (const Vec3<double>& d :
       {Vec3<double>{r, 0, 0}, {0, -r, 0}, {0.6 * r, 0.8 * r, 0}, {0, -0.8 * r, 0.6 * r}}) {
    const Vec3<double> at = middle + d;
    result.centres.push_back(
        {std::round(1000 * at.x) / 1000, std::round(1000 * at.y) / 1000, std::round(1000 * at.z) / 1000});
  }
  return result;
}

}  // namespace

TEST_CASE("exclusion: exact for every case and distance") {
  for (const Case& c : cases())
    for (const double distance_A : {0.0, 0.25, 0.5, 1.0, 2.3, 5.0, 5.9, 1000.0})
      check({c.name, c.lattice, centres_of(c.charges), distance_A});
}

TEST_CASE("exclusion: the distances that cut-off loops over cells get wrong") {
  Random random(20);
  for (const double spacing_A : {0.2, 0.3, 0.5, 0.77, 1.0})
    for (const double distance_A : {5.9, 2.95, 4.999, 5.001, 7.49}) {
      const Vec3<double> origin_A = random.position_A({{-700, -700, -700}, {700, 700, 700}});
      Problem problem{
          "random offset", {origin_A, {spacing_A, spacing_A, spacing_A}, {41, 38, 35}}, {}, distance_A};
      for (int n = 0; n < 15; ++n) problem.centres.push_back(random.position_A(box_of(problem.lattice)));
      check(problem);
    }
}

TEST_CASE("exclusion: a point at exactly the distance is inside, whatever the coordinates round to") {
  for (const double spacing_A : {0.5, 0.1, 0.3})
    for (const double distance_A : {1.0, 3.0, 1.5})
      for (const Vec3<double> offset_A :
           {Vec3<double>{0, 0, 0}, {-12.345, 67.891, 0.001}, {876.543, -999.999, 123.457}}) {
        const Problem problem = touching(spacing_A, distance_A, offset_A);
        check(problem);
        const BlockGrid grid(problem.lattice);
        Mask available(grid, SimdLevel::automatic, 2);
        available.exclude(problem.centres, distance_A * distance_A + 5e-7);
        const std::int64_t b = 2 + grid.counts.x * (1 + grid.counts.y * 1);  // of point (16, 15, 14)
        CHECK(!is_set(available.of_block(b), 0 + 8 * (7 + 8 * 6)));
      }
}

TEST_CASE("exclusion: the limit itself lies between two multiples of 1e-6") {
  const LatticeGeometry lattice{{0, 0, 0}, {0.001, 0.5, 0.5}, {9, 1, 1}};
  const BlockGrid grid(lattice);
  Mask available(grid, SimdLevel::automatic, 2);
  // Points at x = 0, 0.001, ... from a centre at 5.004: 5.004 down to 4.996 away.
  available.exclude(std::vector<Vec3<double>>{{5.004, 0, 0}}, 25.0 + 5e-7);
  for (int p = 0; p < 8; ++p) {
    CAPTURE(p);
    CHECK(is_set(available.of_block(0), p) == (p < 4));
  }
  CHECK(!is_set(available.of_block(1), 0));
}

TEST_CASE("exclusion: no atoms, a distance of zero, and several calls") {
  const LatticeGeometry lattice{{0, 0, 0}, {0.5, 0.5, 0.5}, {17, 9, 5}};
  const BlockGrid grid(lattice);
  for (const SimdLevel level : simd_levels()) {
    Mask available(grid, level, 2);
    CHECK(available.count() == lattice.size());
    available.exclude({}, 25.0);
    CHECK(available.count() == lattice.size());
    available.exclude(std::vector<Vec3<double>>{{8.0, 4.0, 2.0}, {0.0, 0.0, 0.1}}, 5e-7);
    CHECK(available.count() == lattice.size() - 1);  // the last point; the first is 0.1 A away
    available.exclude(std::vector<Vec3<double>>{{0.0, 0.0, 0.0}}, 0.25 + 5e-7);
    CHECK(available.count() == lattice.size() - 5);  // and the first with its three neighbours
    available.exclude(std::vector<Vec3<double>>{{100.0, 0.0, 0.0}}, 40.0);
    CHECK(available.count() == lattice.size() - 5);
    available.exclude(std::vector<Vec3<double>>{{100.0, 0.0, 0.0}}, 1e5);
    CHECK(available.count() == 0);
  }
}
