// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>

#include "structures/gromacs/g96.hpp"
#include "structures/gromacs/gro.hpp"
#include "support/error_of.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

const std::string water =
    "MD of 2 waters, t= 0.0\n"
    "    3\n"
    "    1WATER  OW1    1   0.126   1.624   1.679  0.1227 -0.0580  0.0434\n"
    "    1WATER  HW2    2   0.190   1.661   1.747  0.8085  0.3191 -0.7791\n"
    "   -2WATER  HW399999-123.4561234.567   0.001\n"
    "   1.82060   1.82060   1.82060\n";

std::string gro_error(const std::string& text) {
  return error_of([&] { read_gro(text, "x.gro"); });
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

bool close(const Vec3<double>& a, const Vec3<double>& b) {
  return distance_squared(a, b) < 1e-18;  // rounding of nm to A
}

}  // namespace

TEST_CASE("gro: positions, labels, box") {
  for (const std::string& text : {water, replaced(water, "3\n   ", "3\r\n   "), water + "\n\n"}) {
    const Coordinates c = read_gro(text, "x.gro");
    REQUIRE(c.positions_A.size() == 3);
    CHECK(close(c.positions_A[0], {1.26, 16.24, 16.79}));
    CHECK(close(c.positions_A[2], {-1234.56, 12345.67, 0.01}));
    CHECK(c.labels[0].name.view() == "OW1");
    CHECK(c.labels[0].residue.view() == "WATER");
    CHECK(c.labels[2].residue_number == -2);
    REQUIRE(c.cell);
    CHECK(close(lengths_A(*c.cell), {18.206, 18.206, 18.206}));
    CHECK(close(angles_deg(*c.cell), {90.0, 90.0, 90.0}));
    CHECK(c.frames == 1);
    CHECK(c.warnings.empty());
  }
}

TEST_CASE("gro: any number of decimals") {
  for (const int decimals : {1, 2, 3, 6, 9, 12}) {
    CAPTURE(decimals);
    char line[200];
    const int width = decimals + 5;
    std::string text = "t\n2\n";
    for (const double x : {-0.5, 12.5}) {
      std::snprintf(line, sizeof line, "%5d%-5s%5s%5d%*.*f%*.*f%*.*f%*.*f%*.*f%*.*f\n", 1, "ALA", "CA", 1,
                    width, decimals, x, width, decimals, -x, width, decimals, 100.0, width, decimals + 1, 0.1,
                    width, decimals + 1, 0.1, width, decimals + 1, 0.1);
      text += line;
    }
    const Coordinates c = read_gro(text + "0 0 0\n", "x.gro");
    CHECK(close(c.positions_A.at(0), {-5.0, 5.0, 1000.0}));
    CHECK(close(c.positions_A.at(1), {125.0, -125.0, 1000.0}));
    CHECK(!c.cell);
  }
}

TEST_CASE("gro: a rhombic dodecahedron") {
  // gmx editconf -bt dodecahedron (GROMACS 2022.5) of a box of 6.91866 nm
  const std::string box =
      "   6.91866   6.91866   4.89223   0.00000   0.00000   0.00000   0.00000   3.45933   3.45933\n";
  const Coordinates c = read_gro(replaced(water, "   1.82060   1.82060   1.82060\n", box), "x.gro");
  REQUIRE(c.cell);
  const Vec3<double> lengths = lengths_A(*c.cell), angles = angles_deg(*c.cell);
  CHECK(std::abs(lengths.z - 69.1866) < 1e-3);  // of five decimals in nm
  CHECK(std::abs(angles.x - 60.0) < 1e-3);
  CHECK(std::abs(angles.y - 60.0) < 1e-3);
  CHECK(std::abs(angles.z - 90.0) < 1e-9);
}

TEST_CASE("gro: the vectors of the box are kept as they lie") {
  const std::string box =
      "   0.50000   0.60000   4.00000   3.00000   0.00000  -2.00000   0.00000   0.10000   0.20000\n";
  const Coordinates c = read_gro(replaced(water, "   1.82060   1.82060   1.82060\n", box), "x.gro");
  REQUIRE(c.cell);
  CHECK(close(c.cell->a, {5.0, 30.0, 0.0}));
  CHECK(close(c.cell->b, {-20.0, 6.0, 0.0}));
  CHECK(close(c.cell->c, {1.0, 2.0, 40.0}));
  CHECK(c.cell->kind == CellKind::simulation);
}

TEST_CASE("gro: residue numbers and serials begin again at 0 behind 99,999") {
  std::string text = "t\n5\n";
  for (const char* const number : {"99998", "99999", "    0", "    1", "    1"})
    text += std::string(number) + "SOL     OW    0   1.000   2.000   3.000\n";
  const Coordinates c = read_gro(text + "1 1 1\n", "x.gro");
  const int expected[] = {99998, 99999, 100000, 100001, 100001};
  for (std::size_t i = 0; i < 5; ++i) CHECK(c.labels.at(i).residue_number == expected[i]);
  // A smaller number elsewhere is another chain.
  CHECK(read_gro(water, "x.gro").labels[2].residue_number == -2);
}

TEST_CASE("gro: several frames") {
  const std::string second = replaced(water, "0.126", "0.226");
  const auto first_x_A = [&](std::int64_t number) {
    return read_gro(water + second + "\n" + water, "x.gro", {number}).positions_A.at(0).x;
  };
  CHECK(first_x_A(1) == doctest::Approx(1.26));
  CHECK(first_x_A(2) == doctest::Approx(2.26));
  CHECK(first_x_A(-2) == doctest::Approx(2.26));
  CHECK(read_gro(water + second, "x.gro").frames == 2);
  for (const std::int64_t number : {std::int64_t{0}, std::int64_t{3}, std::int64_t{-3}})
    CHECK(error_of([&] { read_gro(water + second, "x.gro", {number}); }) ==
          "x.gro: frame " + std::to_string(number) +
              " is not among its 2 frames; frames are counted from 1, and from -1 backwards");
  const Coordinates cut = read_gro(water + second.substr(0, 100), "x.gro", {-1});
  CHECK(cut.frames == 1);
  CHECK(cut.warnings == std::vector<std::string>{"x.gro: after frame 1 there is an incomplete frame, which "
                                                 "was left out (was the run or the copy stopped?)"});
}

TEST_CASE("gro: what it refuses") {
  CHECK(gro_error("") == "x.gro: is empty; give a .gro file");
  CHECK(gro_error("title") == "x.gro:1: the file ends after the title; copy it again");
  CHECK(gro_error(replaced(water, "    3", "many")) ==
        "x.gro:2: the number of atoms is 'many', but it must be a whole number greater than 0; correct it");
  CHECK(gro_error(replaced(water, "    3", "   -1")).starts_with("x.gro:2: the number of atoms is '-1'"));
  CHECK(gro_error(replaced(water, "    3", "9223372036854775807")) ==
        "x.gro:6: the file ends here, and line 2 states that it has 9,223,372,036,854,775,807 atoms; copy it "
        "again");
  CHECK(gro_error(replaced(water, "    3", "    2")).starts_with("x.gro:5: '   -2WATER  HW399999-123.456"));
  CHECK(gro_error(replaced(water, "    3", "    4")) ==
        "x.gro:6: the file ends before the line of the box; copy it again");
  const std::string why =
      " is not a finite number (an atom's line has residue number, residue, name and serial in 5 columns "
      "each, then x, y "
      "and z in columns of one width); correct this line";
  CHECK(gro_error(replaced(water, "   1.661", "     nan")) == "x.gro:4: y '     nan'" + why);
  CHECK(gro_error(replaced(water, "   0.190", "   0.1x0")) == "x.gro:4: x '   0.1x0'" + why);
  CHECK(gro_error(replaced(water, "   1.747", "   1 747")) == "x.gro:4: z '   1 747'" + why);
  CHECK(gro_error(replaced(water, "    1WATER  HW2", "   1aWATER  HW2"))
            .starts_with("x.gro:4: residue number '   1a'"));
  CHECK(gro_error(replaced(water, "   1.82060   1.82060   1.82060", "1.8 1.8"))
            .starts_with("x.gro:6: '1.8 1.8' should be the box"));
  CHECK(gro_error(replaced(water, "   1.82060   1.82060   1.82060", "1 1 nan"))
            .starts_with("x.gro:6: '1 1 nan' should be the box"));
  CHECK(gro_error("t\n1\n    1WATER  OW1    1   0.126\n1 1 1\n")
            .starts_with("x.gro:3: '    1WATER  OW1    1   0.126' does not have two coordinates"));
  CHECK(gro_error("t\n1\n    1A        O    1  99999.0  99999.0  99999.0\n1 1 1\n")
            .find("which is not a possible position") != std::string::npos);
}

TEST_CASE("gro: a file cut at any byte is refused, or has all its atoms") {
  for (std::size_t size = 0; size + 1 < water.size(); ++size) {
    CAPTURE(size);
    const std::string message = gro_error(water.substr(0, size));
    CHECK(message.starts_with("x.gro:"));
  }
  CHECK(gro_error(water.substr(0, water.size() - 1)) ==
        "no error");  // only the end of the last line is missing
}

TEST_CASE("gro: its recogniser") {
  CHECK(is_gro(water));
  CHECK(is_gro(water.substr(0, 100)));
  CHECK(!is_gro(""));
  CHECK(!is_gro("ATOM      1  N   MET A   1      11.269 124.021 231.688  0.1592 1.8240\n"));
  CHECK(
      !is_gro("title\n    2  0.1000000E+01\n   1.2345678   1.2345678   1.2345678   1.2345678   1.2345678   "
              "1.2345678\n"));
  CHECK(!is_gro("3\ncomment\nC 0.0 0.0 0.0\n"));
  CHECK(!is_gro(
      "* title\n*\n         3  EXT\n         1         1  ALA       N              11.269      124.021\n"));
}

namespace {

const std::string title = "TITLE\nTwo frames\nEND\n";
const std::string labelled =
    "POSITION\n# a comment\n"
    "    1 G     O5'        1    3.786000013   -0.862999976    3.868000031\n"
    "    2 G     H5T        2    3.819000006   -0.832000017    3.779000044\nEND\n";
const std::string box = "BOX\n    4.534820080    3.262959957    4.314199924\nEND\n";
const std::string reduced =
    "TIMESTEP\n              1       0.002\nEND\nPOSITIONRED\n    1.000000000   -2.000000000    "
    "3.000000000\nEND\n";

std::string g96_error(const std::string& text) {
  return error_of([&] { read_g96(text, "x.g96"); });
}

}  // namespace

TEST_CASE("g96: blocks with labels and without, boxes, frames") {
  const std::string text = title + labelled + box + reduced + "VELOCITYRED\n 1 2 3\nEND\n";
  const Coordinates first = read_g96(text, "x.g96");
  CHECK(first.frames == 2);
  REQUIRE(first.positions_A.size() == 2);
  CHECK(close(first.positions_A[1], {38.19000006, -8.32000017, 37.79000044}));
  CHECK(first.labels[1].name.view() == "H5T");
  CHECK(first.labels[1].residue.view() == "G");
  CHECK(first.labels[1].residue_number == 2);
  REQUIRE(first.cell);
  CHECK(close(lengths_A(*first.cell), {45.3482008, 32.62959957, 43.14199924}));
  const Coordinates last = read_g96(text, "x.g96", {-1});
  CHECK(close(last.positions_A.at(0), {10.0, -20.0, 30.0}));
  CHECK(last.labels.empty());
  CHECK(!last.cell);
  const Coordinates triclinic = read_g96(reduced + "BOX\n 2 2 2 0 0\n0 0 1 1\nEND\n", "x.g96");
  REQUIRE(triclinic.cell);
  CHECK(lengths_A(*triclinic.cell).z == doctest::Approx(std::sqrt(6.0) * 10.0));
}

TEST_CASE("g96: what it refuses") {
  CHECK(g96_error(title) == "x.g96: has no complete block POSITION or POSITIONRED; copy it again");
  CHECK(g96_error(title + "POSITION\n") ==
        "x.g96: has no complete block POSITION or POSITIONRED (that in line 4 has no END); copy it again");
  CHECK(g96_error("POSITION\nEND\n") == "x.g96:2: the block has no atoms; choose another frame");
  CHECK(g96_error(replaced(reduced, "   -2.000000000", "            nan")) ==
        "x.g96:5: y '            nan' is not a finite number in columns 16 to 30; correct this line");
  CHECK(g96_error(replaced(labelled, "    2 G", "    x G")) ==
        "x.g96:4: residue number 'x' is not a whole number; correct this line");
  CHECK(g96_error(reduced + "BOX\n1 2\nEND\n") ==
        "x.g96:8: the block BOX has 2 numbers, not 3 or 9; correct it");
  CHECK(g96_error(reduced + "BOX\n1 2 x\nEND\n").starts_with("x.g96:8: 'x' in the block BOX is not one"));
  CHECK(
      g96_error(reduced + "BOX\n1 2 3 4 5 6 7 8 9 10\nEND\n").starts_with("x.g96:8: '10' in the block BOX"));
}

TEST_CASE("g96: a file cut at any byte is refused, or has all its atoms") {
  const std::string text = title + labelled;
  for (std::size_t size = 0; size + 1 < text.size(); ++size) {
    CAPTURE(size);
    CHECK(g96_error(text.substr(0, size)).starts_with("x.g96:"));
  }
  const Coordinates cut = read_g96(text + reduced.substr(0, 70), "x.g96");
  CHECK(cut.frames == 1);
  CHECK(cut.warnings.size() == 1);
}

TEST_CASE("g96: its recogniser") {
  CHECK(is_g96("# made by hand\nTITLE\nx\nEND\n"));
  CHECK(is_g96(labelled));
  CHECK(!is_g96(water));
  CHECK(!is_g96("TITLE     RNA PDBID 1K5I\n"));
  CHECK(!is_g96(""));
}
