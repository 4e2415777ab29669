// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "core/periodic/periodic_cell_list.hpp"
#include "electrostatics/periodic/plain_ewald.hpp"

using namespace ionwell;

namespace {

using Found = std::vector<std::tuple<std::uint32_t, double, double, double>>;

/// By trying all images.
Found plainly_near(const CellVectors& v, const std::vector<Vec3<double>>& points, const Vec3<double>& from,
                   double distance_A) {
  Found found;
  for (std::uint32_t n = 0; n < points.size(); ++n)
    for (int k = -12; k <= 12; ++k)
      for (int j = -12; j <= 12; ++j)
        for (int i = -12; i <= 12; ++i) {
          const Vec3<double> d = points[n] - from + double(i) * v.a + double(j) * v.b + double(k) * v.c;
          if (dot(d, d) <= distance_A * distance_A) found.emplace_back(n, d.x, d.y, d.z);
        }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

TEST_CASE("periodic cell list: finds every image within a distance, once, in cells of any shape") {
  std::mt19937 random(12);
  std::size_t compared = 0;
  std::uniform_real_distribution<double> anywhere(-0.5, 0.5);
  for (const NamedCell& c : cells_of_all_shapes())
    for (const double edge_A : {1.3, 6.0, 1000.0})
      for (const double distance_A : {2.5, 11.0, 19.0}) {
        CAPTURE(std::string(c.name));
        CAPTURE(edge_A);
        CAPTURE(distance_A);
        const PeriodicCell cell(c.vectors), reduced(cell.reduced());
        if (distance_A > 5 * cell.inscribed_radius_A()) continue;  // more images than the plain search has
        std::vector<Vec3<double>> points(9);
        for (Vec3<double>& p : points)
          p = reduced.cartesian_A({anywhere(random), anywhere(random), anywhere(random)});
        points.push_back({});
        const PeriodicCellList list(cell, points, edge_A);
        for (int n = 0; n < 4; ++n) {
          const Vec3<double> from =
              n == 0 ? Vec3<double>{}
                     : reduced.cartesian_A({anywhere(random), anywhere(random), anywhere(random)});
          Found found;
          list.near(from, distance_A, [&](std::uint32_t number, const Vec3<double>& d) {
            found.emplace_back(number, d.x, d.y, d.z);
          });
          std::sort(found.begin(), found.end());
          const Found expected = plainly_near(reduced.vectors(), points, from, distance_A);
          REQUIRE(found.size() == expected.size());
          compared += found.size();
          // Sorted differently where two differ by rounding: by number, and then by what is near.
          for (std::size_t f = 0; f < found.size(); ++f) {
            CHECK(std::get<0>(found[f]) == std::get<0>(expected[f]));
            const bool there = std::any_of(expected.begin(), expected.end(), [&](const auto& e) {
              return std::get<0>(e) == std::get<0>(found[f]) &&
                     std::abs(std::get<1>(e) - std::get<1>(found[f])) < 1e-9 &&
                     std::abs(std::get<2>(e) - std::get<2>(found[f])) < 1e-9 &&
                     std::abs(std::get<3>(e) - std::get<3>(found[f])) < 1e-9;
            });
            CHECK(there);
          }
        }
      }
  CHECK(compared > 1000);
}

TEST_CASE("periodic cell list: positions outside the cell, and no points at all") {
  const PeriodicCell cell(cell_vectors({{11, 17, 23}, {81, 67, 103}}));
  const std::vector<Vec3<double>> points{{100, -200, 300}, {1, 2, 3}};
  const PeriodicCellList list(cell, points, 4);
  std::vector<std::uint32_t> found;
  const Vec3<double> image = points[0] + 7.0 * cell.vectors().a - 5.0 * cell.vectors().c;
  list.near(image, 0.1, [&](std::uint32_t n, const Vec3<double>& d) {
    found.push_back(n);
    CHECK(dot(d, d) < 1e-18);
  });
  CHECK(found == std::vector<std::uint32_t>{0});
  const PeriodicCellList none(cell, {}, 4);
  none.near({}, 50, [&](std::uint32_t, const Vec3<double>&) { FAIL("there is nothing to find"); });
}

TEST_CASE("periodic cell list: more points than there are numbers are refused before any is looked at") {
  const Vec3<double> one{};
  const std::span<const Vec3<double>> too_many(&one, std::size_t{1} << 32);
  CHECK_THROWS_AS(
      PeriodicCellList(PeriodicCell(CellVectors{{10, 0, 0}, {0, 10, 0}, {0, 0, 10}}), too_many, 10.0), Error);
}
