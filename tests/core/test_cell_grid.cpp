// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "core/cell_list.hpp"

using namespace ionwell;

namespace {

/// Unequal edges and counts, so that no axis can stand for another.
const CellGrid grid{{{-3.0, 10.0, 0.5}, {5.0, 22.0, 3.0}}, {2.0, 3.0, 0.5}, {4, 5, 6}};

/// Points in a box, some of them in the same place.
std::vector<Vec3<double>> random_points(std::size_t count, Vec3<double> extent_A, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> along(0.0, 1.0);
  std::vector<Vec3<double>> points;
  while (points.size() < count)
    if (points.size() % 10 == 9)
      points.push_back(points[points.size() / 2]);
    else
      points.push_back(
          {extent_A.x * along(random) - 5.0, extent_A.y * along(random), extent_A.z * along(random) + 100.0});
  return points;
}

bool is_within(const Box& box, const Vec3<double>& p, double distance_A) {
  return p.x >= box.lowest_A.x - distance_A && p.x <= box.highest_A.x + distance_A &&
         p.y >= box.lowest_A.y - distance_A && p.y <= box.highest_A.y + distance_A &&
         p.z >= box.lowest_A.z - distance_A && p.z <= box.highest_A.z + distance_A;
}

}  // namespace

TEST_CASE("cells: x is fastest, a face belongs to the cell above it") {
  CHECK(grid.size() == 120);
  CHECK(grid.cell_of({-3.0, 10.0, 0.5}) == 0);
  CHECK(grid.cell_of({-1.0, 10.0, 0.5}) == 1);
  CHECK(grid.cell_of({-1.000001, 10.0, 0.5}) == 0);
  CHECK(grid.cell_of({-3.0, 13.0, 0.5}) == 4);
  CHECK(grid.cell_of({-3.0, 10.0, 1.0}) == 20);
  CHECK(grid.cell_of({0.0, 17.0, 2.9}) == 1 + 4 * (2 + 5 * 4));
}

TEST_CASE("cells: a position outside of all is in the nearest, however far away it is") {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  CHECK(grid.cell_of({-3.5, 9.0, 0.0}) == 0);
  CHECK(grid.cell_of({-1e300, 14.0, -infinite}) == 4);
  CHECK(grid.cell_of({5.0, 25.0, 3.5}) == 119);
  CHECK(grid.cell_of({1e300, infinite, 1e19}) == 119);
}

TEST_CASE("cells: the range around a box is all that comes near it, and no row more") {
  const auto check = [](const Box& box, double distance_A, Vec3<std::int64_t> first,
                        Vec3<std::int64_t> last) {
    const CellRange range = grid.within(box, distance_A);
    CHECK(range.first == first);
    CHECK(range.last == last);
    CHECK(!range.empty());
  };
  const Vec3<double> inside{0.0, 17.0, 1.7};  // in cell (1,2,2)
  check({inside, inside}, 0.0, {1, 2, 2}, {1, 2, 2});
  check({inside, inside}, 1.0, {1, 2, 0}, {2, 2, 4});
  check({inside, inside}, 1.01, {0, 1, 0}, {2, 2, 4});
  check({inside, inside}, 1e300, {0, 0, 0}, {3, 4, 5});
  check({{-9.0, 12.0, 0.0}, {-3.0, 13.0, 9.0}}, 0.0, {0, 0, 0}, {0, 1, 5});
  CHECK(grid.within({{-9.0, 12.0, 0.0}, {-4.0, 13.0, 9.0}}, 0.9).empty());
  CHECK(grid.within({{0.0, 12.0, 4.5}, {0.0, 13.0, 9.0}}, 0.9).empty());
  CHECK(!grid.within({{0.0, 12.0, 4.5}, {0.0, 13.0, 9.0}}, 1.1).empty());
}

TEST_CASE("cells: far points get larger cells, not more of them") {
  const std::vector<Vec3<double>> points = {{0.0, 0.0, 0.0}, {1e6, 1e6, 1e6}, {5.0, 5.0, 5.0}};
  const CellGrid cells = cells_around(points, 1.0);
  CHECK(cells.size() <= 1 << 24);
  CHECK(cells.size() > 1 << 20);
  CHECK(cells.box == Box{{0.0, 0.0, 0.0}, {1e6, 1e6, 1e6}});
  CHECK(cells.cell_of(points[1]) == cells.size() - 1);
  CHECK(cells_around({points.data(), 1}, 1.0).size() == 1);
}

TEST_CASE("cell list: each point once, by cell and within a cell by number") {
  const std::vector<Vec3<double>> points = random_points(3000, {9.0, 15.0, 4.0}, 1);
  const CellList list(points, 1.7);
  REQUIRE(list.order().size() == points.size());
  REQUIRE(list.grid().size() > 20);
  std::size_t wrong = 0;
  for (std::int64_t cell = 0; cell < list.grid().size(); ++cell)
    for (std::size_t at = list.begin(cell); at < list.begin(cell + 1); ++at) {
      wrong += list.grid().cell_of(points[list.order()[at]]) != cell;
      wrong += at > list.begin(cell) && list.order()[at - 1] >= list.order()[at];
    }
  CHECK(wrong == 0);
  CHECK(list.begin(0) == 0);
  CHECK(list.begin(list.grid().size()) == points.size());
}

TEST_CASE("cell list: more points than there are numbers are refused before anything is made for them") {
  const CellGrid grid{{}, {1.0, 1.0, 1.0}, {1, 1, 1}};
  const auto nowhere = [](std::size_t) -> Vec3<double> { throw Error("asked for a position"); };
  CHECK_THROWS_WITH_AS(CellList(grid, std::size_t{1} << 32, nowhere),
                       "there are 4294967296 points or atoms near each other to be looked for, and at most "
                       "4294967295 fit in one list; use a part of the system",
                       Error);
}

TEST_CASE("cell list: all points near a box, each once") {
  const std::vector<Vec3<double>> points = random_points(500, {9.0, 15.0, 4.0}, 2);
  const CellList list(points, 1.7);
  const std::vector<Vec3<double>> corners = random_points(60, {14.0, 20.0, 9.0}, 3);
  std::size_t found = 0, wrong = 0;
  for (std::size_t n = 0; n + 1 < corners.size(); n += 2) {
    const Vec3<double>&a = corners[n], &b = corners[n + 1];
    const Box box{{std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)},
                  {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)}};
    const double distance_A = 0.3 * double(n % 8);
    std::vector<int> visits(points.size());
    list.near(box, distance_A, [&](std::uint32_t p) { ++visits[p]; });
    for (std::size_t p = 0; p < points.size(); ++p) {
      wrong += visits[p] > 1 || (visits[p] == 0 && is_within(box, points[p], distance_A));
      found += std::size_t(is_within(box, points[p], distance_A));
    }
  }
  CHECK(found > 100);
  CHECK(wrong == 0);
}

TEST_CASE("cell list: the nearest point that is accepted, of equal ones the first") {
  const std::vector<Vec3<double>> points = random_points(400, {9.0, 15.0, 4.0}, 4);
  const CellList list(points, 1.7);
  const auto accept = [](std::uint32_t n) { return n % 3 != 0; };
  for (const Vec3<double>& position : random_points(200, {40.0, 40.0, 40.0}, 5)) {
    CellList::Nearest expected;
    for (std::uint32_t n = 0; n < points.size(); ++n)
      if (const double d2 = distance_squared(points[n], position); accept(n) && d2 < expected.distance2_A2)
        expected = {n, d2};
    const CellList::Nearest found = list.nearest(points, position, 0.5, accept);
    REQUIRE(found.number == expected.number);
    REQUIRE(found.distance2_A2 == expected.distance2_A2);
  }
  const auto nobody = [](std::uint32_t) { return false; };
  CHECK(std::isinf(list.nearest(points, {}, 0.5, nobody).distance2_A2));
  CHECK(std::isinf(CellList({}, 1.0).nearest({}, {}, 0.5, accept).distance2_A2));
}

TEST_CASE("cell list: planes are cells of a grid with one cell along the other axes") {
  const std::vector<Vec3<double>> points = random_points(100, {9.0, 15.0, 4.0}, 6);
  const CellGrid planes{{{0.0, 0.0, 100.0}, {0.0, 0.0, 104.0}}, {0.1, 0.1, 1.0}, {1, 1, 4}};
  const CellList list(planes, points.size(), [&](std::size_t n) { return points[n]; });
  std::size_t wrong = 0;
  for (std::int64_t plane = 0; plane < 4; ++plane) {
    CHECK(list.begin(plane + 1) > list.begin(plane));
    for (std::size_t at = list.begin(plane); at < list.begin(plane + 1); ++at)
      wrong += std::int64_t(points[list.order()[at]].z - 100.0) != plane;
  }
  CHECK(wrong == 0);
}
