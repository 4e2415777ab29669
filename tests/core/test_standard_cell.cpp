// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cmath>

#include "core/geometry/cross_product.hpp"
#include "core/geometry/standard_cell.hpp"
#include "core/periodic_cell.hpp"
#include "support/rotations.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

const std::vector<CellParameters>& shapes() {
  static const std::vector<CellParameters> all = {
      {{40, 50, 60}}, {{45.123, 45.123, 45.123}, {60, 60, 90}}, {{30, 31.25, 70}, {81, 67.5, 103}}};
  return all;
}

}  // namespace

TEST_CASE("unit cell: the lengths and angles that it was made from come back to the last bit") {
  for (const CellParameters& shape : shapes()) {
    const UnitCell cell = unit_cell(shape, CellKind::simulation);
    CHECK(lengths_A(cell) == shape.lengths_A);
    CHECK(angles_deg(cell) == shape.angles_deg);
    CHECK(cell.kind == CellKind::simulation);
  }
  CHECK(lengths_A(unit_cell({{50.0 / 3, 7, 1e4 / 7}})).x == 50.0 / 3);  // more decimals than are restored
  CHECK(!possible_cell({{40, 50, 60}, {20, 20, 100}}, CellKind::simulation));
  CHECK(!possible_cell({{40, 0, 60}}, CellKind::simulation));
  CHECK(!possible_cell({{40, 50, 60}, {90, 200, 90}}, CellKind::simulation));
  CHECK(!possible_cell({{40, 50, NAN}}, CellKind::simulation));
}

TEST_CASE("standard cell: one that lies so stays as it is") {
  for (const CellParameters& shape : shapes()) {
    UnitCell cell = unit_cell(shape);
    cell.b.z = 1e-6;  // of digits in a file
    const StandardCell standard(cell);
    CHECK(!standard.is_rotated());
    CHECK(standard.cell().c == cell.c);
    CHECK(if_standard(cell));
  }
  CHECK(!if_standard(std::nullopt));
}

TEST_CASE("standard cell: right angles stay right where a file has few digits of its vectors") {
  for (const auto& [name, rotation] : rotations()) {
    UnitCell cell = rotated(unit_cell({{40, 50, 60}}), rotation);
    cell.a.x += 4e-7;
    cell.b.z -= 4e-7;
    CHECK(angles_deg(StandardCell(cell).cell()) == Vec3<double>{90, 90, 90});
  }
}

TEST_CASE("standard cell: the atoms are rotated with the cell, also where it is left-handed") {
  const Vec3<double> points[] = {{1.0, 2.0, 3.0}, {30.0, -12.0, 41.0}, {-20.0, 55.0, 17.0}};
  for (const CellParameters& shape : shapes())
    for (const auto& [name, rotation] : rotations())
      for (const bool left_handed : {false, true}) {
        CAPTURE(name);
        UnitCell cell = rotated(unit_cell(shape, CellKind::simulation), rotation);
        if (left_handed) cell.c = -1.0 * cell.c;
        const StandardCell standard(cell);
        CHECK(standard.is_rotated());
        CHECK(!if_standard(cell));
        CHECK(standard.cell().kind == CellKind::simulation);
        CHECK(standard.cell().a.y == 0.0);
        CHECK(standard.cell().b.z == 0.0);
        if (!left_handed) CHECK(lengths_A(standard.cell()) == shape.lengths_A);
        const PeriodicCell before(cell), after(standard.cell());
        const Rotation& turn = standard.rotation();
        CHECK(dot(cross(turn.x, turn.y), turn.z) == doctest::Approx(1.0));
        for (const Vec3<double>& p : points)
          for (const Vec3<double>& q : points) {
            const Vec3<double> u = before.shortest(p - q), v = after.shortest(turn(p) - turn(q));
            CHECK(std::sqrt(dot(v, v)) == doctest::Approx(std::sqrt(dot(u, u))).epsilon(1e-9));
          }
      }
}
