// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "core/error.hpp"
#include "core/periodic_cell.hpp"

using namespace ionwell;

namespace {

struct Case {
  std::string name;
  CellVectors vectors;
};

std::vector<Case> cells() {
  return {{"cube", cell_vectors({{20, 20, 20}, {90, 90, 90}})},
          {"rectangular", cell_vectors({{10, 25, 40}, {90, 90, 90}})},
          {"hexagonal prism", cell_vectors({{20, 20, 30}, {90, 90, 60}})},
          {"rhombic dodecahedron", cell_vectors({{30, 30, 30}, {60, 60, 90}})},
          {"truncated octahedron", cell_vectors({{30, 30, 30}, {70.528779, 109.471221, 70.528779}})},
          {"triclinic", cell_vectors({{11, 17, 23}, {81, 67, 103}})},
          {"a vector beyond the others", {{10, 0, 0}, {27, 12, 0}, {-33, 41, 9}}},
          {"left-handed", {{0, 9, 0}, {11, 0, 0}, {0, 0, 13}}}};
}

/// By trying all images near the origin.
double shortest_A2(const CellVectors& v, Vec3<double> difference_A) {
  double best = 1e300;
  for (int k = -16; k <= 16; ++k)
    for (int j = -16; j <= 16; ++j)
      for (int i = -16; i <= 16; ++i) {
        const Vec3<double> image = difference_A + double(i) * v.a + double(j) * v.b + double(k) * v.c;
        best = std::min(best, dot(image, image));
      }
  return best;
}

}  // namespace

TEST_CASE("periodic cell: the shortest image is the shortest of all, in cells of any shape") {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> fraction(-0.5, 0.5);
  for (const Case& c : cells()) {
    CAPTURE(c.name);
    const PeriodicCell cell(c.vectors);
    for (int n = 0; n < 60; ++n) {
      const Vec3<double> d = cell.cartesian_A({fraction(random), fraction(random), fraction(random)});
      const Vec3<double> shortest = cell.shortest(d);
      CHECK(dot(shortest, shortest) == doctest::Approx(shortest_A2(c.vectors, d)).epsilon(1e-12));
      const Vec3<double> whole = cell.fractional(shortest - d);
      for (const double f : {whole.x, whole.y, whole.z}) CHECK(std::abs(f - std::rint(f)) < 1e-9);
    }
  }
}

TEST_CASE("periodic cell: what is surely longer is, and most of what is longer surely") {
  std::mt19937 random(8);
  std::uniform_real_distribution<double> fraction(-2.0, 2.0);
  for (const Case& c : cells()) {
    CAPTURE(c.name);
    const PeriodicCell cell(c.vectors);
    int longer = 0, surely = 0;
    for (int n = 0; n < 400; ++n) {
      const Vec3<double> d = cell.cartesian_A({fraction(random), fraction(random), fraction(random)});
      const double length_A = std::sqrt(shortest_A2(c.vectors, d)),
                   asked_A = cell.inscribed_radius_A() * (0.1 + 0.3 * (n % 3));
      longer += length_A > asked_A;
      surely += cell.is_surely_longer(d, asked_A);
      if (length_A <= asked_A * (1 - 1e-9)) CHECK_FALSE(cell.is_surely_longer(d, asked_A));
    }
    CHECK(surely > 0.6 * longer);
  }
}

TEST_CASE("periodic cell: volume, widths, wrapping and the nearest image") {
  for (const Case& c : cells()) {
    CAPTURE(c.name);
    const PeriodicCell cell(c.vectors);
    double nearest_A2 = 1e300;
    for (int k = -16; k <= 16; ++k)
      for (int j = -16; j <= 16; ++j)
        for (int i = -16; i <= 16; ++i) {
          const Vec3<double> v = double(i) * c.vectors.a + double(j) * c.vectors.b + double(k) * c.vectors.c;
          if (i != 0 || j != 0 || k != 0) nearest_A2 = std::min(nearest_A2, dot(v, v));
        }
    CHECK(2 * cell.inscribed_radius_A() == doctest::Approx(std::sqrt(nearest_A2)));
    const Vec3<double> f = cell.fractional(cell.wrapped({-123.4, 56.7, 8.9}));
    for (const double x : {f.x, f.y, f.z}) CHECK((x > -1e-12 && x < 1 + 1e-12));
  }
  const PeriodicCell hexagonal(cell_vectors({{20, 20, 30}, {90, 90, 60}}));
  CHECK(hexagonal.volume_A3() == doctest::Approx(20 * 20 * 30 * std::sqrt(0.75)));
  CHECK(hexagonal.widths_A().x == doctest::Approx(20 * std::sqrt(0.75)));
  CHECK(hexagonal.widths_A().z == doctest::Approx(30));
}

TEST_CASE("periodic cell: what spans no volume is refused") {
  CHECK_THROWS_WITH_AS(PeriodicCell(CellVectors{{10, 0, 0}, {20, 0, 0}, {0, 0, 5}}),
                       doctest::Contains("no volume"), Error);
  CHECK_THROWS_AS(PeriodicCell(cell_vectors({{10, 10, 10}, {90, 90, 200}})), Error);
  CHECK_THROWS_AS(PeriodicCell(cell_vectors({{10, 0, 10}, {90, 90, 90}})), Error);
}
