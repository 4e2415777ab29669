// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include "structures/charmm/xsc.hpp"
#include "support/error_of.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

const std::string head = "# NAMD extended system configuration output file\n";
const std::string labels =
    "#$LABELS step a_x a_y a_z b_x b_y b_z c_x c_y c_z o_x o_y o_z s_x s_y s_z s_u s_v s_w\n";

std::string xsc_error(const std::string& text) {
  return error_of([&] { read_xsc(text, "x.xsc"); });
}

void check_cuboid(const ExtendedSystem& system) {
  REQUIRE(system.cell);
  CHECK(lengths_A(*system.cell) == Vec3<double>{80.5, 70.0, 60.25});
  CHECK(angles_deg(*system.cell).x == doctest::Approx(90.0));
  CHECK(angles_deg(*system.cell).y == doctest::Approx(90.0));
  CHECK(angles_deg(*system.cell).z == doctest::Approx(90.0));
  CHECK(system.origin_A == Vec3<double>{1.0, -2.0, 3.5});
}

const std::string cuboid = "80.5 0 0 0 70 0 0 0 60.25 1 -2 3.5";

}  // namespace

TEST_CASE("XSC: the last line, by its labels") {
  CHECK(is_xsc(head));
  const ExtendedSystem system = read_xsc(head + labels + "5000 " + cuboid + " 0 0 0 0 0 0\n", "x.xsc");
  check_cuboid(system);
  CHECK(system.warnings.empty());
  check_cuboid(read_xsc(head + "0 1 0 0 0 1 0 0 0 1 0 0 0\n500 " + cuboid + "\n", "x.xst"));
  check_cuboid(
      read_xsc(head + "#$LABELS o_x o_y o_z c_z b_y a_x step\r\n1 -2 3.5 60.25 70 80.5 0\r\n", "x.xsc"));
  check_cuboid(read_xsc(head + "#$LABELS step a_x a_y a_z b_x b_y b_z c_x c_y c_z o_x o_y o_z\n0 " + cuboid +
                            "\n" + labels,  // of a run that wrote nothing more
                        "x.xst"));
  check_cuboid(read_xsc(head + "5000 " + cuboid, "x.xsc"));  // one line, all there, not ended
}

TEST_CASE("XSC: a cell that is no cuboid") {
  const ExtendedSystem system = read_xsc(head + "0 50 0 0 -25 43.30127018922193 0 0 0 80 0 0 0\n", "x.xsc");
  REQUIRE(system.cell);
  CHECK(lengths_A(*system.cell).y == doctest::Approx(50.0));
  CHECK(angles_deg(*system.cell).x == doctest::Approx(90.0));
  CHECK(angles_deg(*system.cell).z == doctest::Approx(120.0));
}

TEST_CASE("XSC: the vectors are kept as they lie") {
  const ExtendedSystem system = read_xsc(head + "0 0 50 0 -40 5 0 3 4 30 1 2 3\n", "x.xsc");
  REQUIRE(system.cell);
  CHECK(system.cell->a == Vec3<double>{0, 50, 0});
  CHECK(system.cell->b == Vec3<double>{-40, 5, 0});
  CHECK(system.cell->c == Vec3<double>{3, 4, 30});
  CHECK(system.cell->kind == CellKind::simulation);
}

TEST_CASE("XSC: without a period, and with a period along some vectors") {
  const ExtendedSystem none = read_xsc(head + "#$LABELS step o_x o_y o_z\n0 1 2 3\n", "x.xsc");
  CHECK(!none.cell);
  CHECK(none.warnings.empty());
  CHECK(none.origin_A == Vec3<double>{1.0, 2.0, 3.0});
  const ExtendedSystem slab = read_xsc(head + "0 50 0 0 0 50 0 0 0 0 0 0 0\n", "x.xsc");
  CHECK(!slab.cell);
  CHECK(slab.warnings ==
        std::vector<std::string>{
            "x.xsc:2: the system is periodic along some vectors only; the cell was ignored"});
}

TEST_CASE("XST: a last line that is cut gives way to the one before") {
  for (const std::string cut : {"1000 90 0", "1000 90 0 0 0 70 0 0 0 60.25 1 -2 3.5"}) {
    const ExtendedSystem system = read_xsc(head + "500 " + cuboid + "\n" + cut, "x.xst");
    check_cuboid(system);
    CHECK(system.warnings ==
          std::vector<std::string>{"x.xst:3: this line is truncated; the cell is that of line 2"});
  }
}

TEST_CASE("XSC: a file cut at any byte is refused, or gives the cell") {
  const std::string text = head + labels + "5000 " + cuboid + " 0 0 0 0 0 0\n";
  for (std::size_t size = 0; size < text.size(); ++size) {
    CAPTURE(size);
    const std::string message = error_of([&] { check_cuboid(read_xsc(text.substr(0, size), "x.xsc")); });
    CHECK((size + 1 == text.size()) == (message == "no error"));
  }
}

TEST_CASE("XSC: what makes no cell") {
  const std::string again = "; copy it again, or run NAMD again";
  CHECK(xsc_error(head + labels) ==
        "x.xsc: has no line with all of the 19 numbers that its labels announce" + again);
  const std::string says = " (the labels determine the numbers in a line)";
  CHECK(xsc_error(head + "0 nan 0 0 0 50 0 0 0 50 0 0 0\n") ==
        "x.xsc:2: a_x 'nan' is not a finite number" + says + again);
  CHECK(xsc_error(head + "0 50 0 0 0 5x 0 0 0 50 0 0 0\n") ==
        "x.xsc:2: b_y '5x' is not a finite number" + says + again);
  CHECK(xsc_error(head + "0 50 0 0 50 0 0 0 0 50 0 0 0\n") ==
        "x.xsc:2: the three vectors do not form a cell (they span no volume)" + again);
  CHECK_FALSE(is_xsc("# NAMD velocities\n"));
  CHECK(is_xsc("#$LABELS step a_x a_y a_z b_x b_y b_z c_x c_y c_z o_x o_y o_z\n0 1 0 0 0 1 0 0 0 1 0 0 0\n"));
  CHECK_FALSE(is_xsc(""));
}
