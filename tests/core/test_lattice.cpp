// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <limits>

#include "core/error.hpp"
#include "core/lattice.hpp"

using namespace ionwell;

TEST_CASE("the enclosing lattice starts at the lowest coordinate minus the border") {
  const Atom low{.position_A = {-3.0, 2.0, 0.25}}, high{.position_A = {7.1, 2.0, 1.0}};
  const LatticeGeometry lattice =
      enclosing_lattice(std::vector{high, low}, {.spacing_A = 0.5, .border_A = 2.0});
  CHECK(lattice.origin_A == Vec3<double>{-5.0, 0.0, -1.75});
  CHECK(lattice.counts ==
        Vec3<std::int64_t>{29, 9, 11});  // round(14.1 / 0.5) + 1, round(4 / 0.5) + 1, round(9.5) + 1
}

TEST_CASE("index, point and position agree, with i fastest") {
  const LatticeGeometry lattice{{1.0, 2.0, 3.0}, {0.5, 0.25, 2.0}, {3, 4, 5}};
  CHECK(lattice.size() == 60);
  CHECK(lattice.index(1, 0, 0) == 1);
  CHECK(lattice.index(0, 1, 0) == 3);
  CHECK(lattice.index(0, 0, 1) == 12);
  for (std::int64_t p = 0; p < lattice.size(); ++p) {
    const Vec3<std::int64_t> at = lattice.point(p);
    CHECK(lattice.index(at.x, at.y, at.z) == p);
  }
  CHECK(lattice.position_A(lattice.index(2, 3, 4)) == Vec3<double>{2.0, 2.75, 11.0});
}

TEST_CASE("a lattice in a box stays inside, and reaches its far corner where the spacing allows") {
  const LatticeGeometry lattice = lattice_in_box({{0, 0, 0}, {10.0, 11.9, 1.9}}, 4.0);
  CHECK(lattice.counts == Vec3<std::int64_t>{3, 3, 1});
  // Multiples of a spacing that is no binary fraction.
  for (const double spacing_A : {0.1, 0.3, 0.7})
    for (const std::int64_t steps : {1, 3, 7, 1000}) {
      const double edge_A = spacing_A * double(steps);
      CHECK(lattice_in_box({{0.3, 0, 0}, {0.3 + edge_A, edge_A, edge_A}}, spacing_A).counts ==
            Vec3<std::int64_t>{steps + 1, steps + 1, steps + 1});
    }
}

TEST_CASE("a lattice that makes no sense is refused") {
  const Box box{{0, 0, 0}, {10, 10, 10}};
  for (const double spacing_A :
       {0.0, -0.5, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 1e-6})
    CHECK_THROWS_AS(lattice_in_box(box, spacing_A), UsageError);
  CHECK_THROWS_WITH_AS(lattice_in_box({{0, 0, 0}, {10, -1, 10}}, 0.5),
                       doctest::Contains("in the wrong order"), UsageError);
  CHECK_THROWS_AS(enclosing_lattice(std::vector{Atom{}}, {.spacing_A = 0.5, .border_A = -1.0}), UsageError);
}
