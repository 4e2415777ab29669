// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>

#include "structures/amber/inpcrd.hpp"
#include "support/error_of.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

/// Numbers as 6F12.7, each part on lines of its own.
std::string lines_of(const std::vector<double>& values) {
  std::string text;
  for (std::size_t i = 0; i < values.size(); ++i) {
    char field[32];
    std::snprintf(field, sizeof field, "%12.7f", values[i]);
    text += field;
    if (i % 6 == 5 || i + 1 == values.size()) text += '\n';
  }
  return text;
}

std::vector<double> some(int count) {
  std::vector<double> values;
  for (int i = 0; i < count; ++i) values.push_back(1.25 * i - 7.1234567);
  return values;
}

const std::vector<double> velocities_of_three = {-0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9};
const std::string three = "a title\n     3  0.5000000E+01\n" + lines_of(some(9));

std::string message_of(const std::string& text) {
  return error_of([&] { read_inpcrd(text, "x.rst7"); });
}

void check_three(const Coordinates& coordinates) {
  REQUIRE(coordinates.positions_A.size() == 3);
  for (int i = 0; i < 3; ++i) {
    const Vec3<double>& p = coordinates.positions_A[std::size_t(i)];
    const auto expected = [i](int axis) { return 1.25 * (3 * i + axis) - 7.1234567; };
    CHECK(std::abs(p.x - expected(0)) < 1e-12);
    CHECK(std::abs(p.y - expected(1)) < 1e-12);
    CHECK(std::abs(p.z - expected(2)) < 1e-12);
  }
  CHECK(coordinates.frames == 1);
  CHECK(coordinates.labels.empty());
  CHECK(coordinates.warnings.empty());
}

}  // namespace

TEST_CASE("inpcrd: coordinates with and without velocities and cell") {
  const std::string velocities = lines_of(velocities_of_three), box = lines_of({40, 50, 60, 90, 100, 110});
  for (const std::string& more : {std::string(), velocities}) {
    const Coordinates bare = read_inpcrd(three + more, "x.rst7");
    check_three(bare);
    CHECK_FALSE(bare.cell);
    const Coordinates boxed = read_inpcrd(three + more + box, "x.rst7");
    check_three(boxed);
    REQUIRE(boxed.cell);
    CHECK(lengths_A(*boxed.cell) == Vec3<double>{40, 50, 60});
    CHECK(angles_deg(*boxed.cell) == Vec3<double>{90, 100, 110});
    const Coordinates rectangular = read_inpcrd(three + more + lines_of({40, 50, 60}), "x.rst7");
    REQUIRE(rectangular.cell);
    CHECK(lengths_A(*rectangular.cell) == Vec3<double>{40, 50, 60});
    CHECK(angles_deg(*rectangular.cell) == Vec3<double>{90, 90, 90});
    CHECK_FALSE(read_inpcrd(three + more + lines_of({0, 0, 0, 90, 90, 90}), "x.rst7").cell);
  }
}

TEST_CASE("inpcrd: the second line has no time, or a time and a temperature") {
  for (const char* const second :
       {"3", "    3", "     3  0.0000000e+00", "    3  0.5000000E+01  0.3000000E+03"})
    check_three(read_inpcrd("\n" + std::string(second) + "\n" + lines_of(some(9)), "x.rst7"));
  for (const char* const second :
       {"", "three", "3.0", "0", "-3", "3 atoms", "3 1.0 2.0 3.0 4.0", "99999999999999999999"})
    CHECK(message_of("t\n" + std::string(second) + "\n" + lines_of(some(9)))
              .starts_with("x.rst7:2: the line '"));
}

TEST_CASE("inpcrd: numbers that touch or are wider than their columns end with their seventh decimal") {
  const Coordinates touching = read_inpcrd(
      "t\n2\n-100.1234567-200.1234567-300.1234567-1000.1234567-20000.7654321 123.0000000\n", "x.rst7");
  CHECK(touching.positions_A[0] == Vec3<double>{-100.1234567, -200.1234567, -300.1234567});
  CHECK(touching.positions_A[1] == Vec3<double>{-1000.1234567, -20000.7654321, 123.0});
  const Coordinates blanks = read_inpcrd("t\n2\n1.5 2 -3.25\n4.0 5.000 6.1\n", "x.rst7");
  CHECK(blanks.positions_A[1] == Vec3<double>{4.0, 5.0, 6.1});
  std::string crlf;
  for (const char c : three) crlf += c == '\n' ? "\r\n" : std::string(1, c);
  check_three(read_inpcrd(crlf, "x.rst7"));
}

TEST_CASE("inpcrd: more than 99,999 atoms") {
  constexpr int atoms = 100'001;
  const std::string text =
      "t\n" + std::to_string(atoms) + "  1.0000000E+00\n" + lines_of(std::vector<double>(3 * atoms, 1.5));
  CHECK(read_inpcrd(text, "x.rst7").positions_A.size() == atoms);
  CHECK(is_inpcrd(text.substr(0, 1000)));
}

TEST_CASE("inpcrd: of one and of two atoms a cell is told from velocities by its numbers") {
  const std::string one = "t\n1\n" + lines_of({1, 2, 3}), two = "t\n2\n" + lines_of({1, 2, 3, 4, 5, 6});
  CHECK_FALSE(read_inpcrd(one + lines_of({-0.1, 0.2, 0.3}), "x.rst7").cell);
  CHECK(read_inpcrd(one + lines_of({40, 50, 60}), "x.rst7").cell);
  CHECK_FALSE(read_inpcrd(two + lines_of({0.1, 0.2, 0.3, 0.4, 0.5, 0.6}), "x.rst7").cell);
  CHECK(read_inpcrd(two + lines_of({40, 50, 60, 90, 90, 90}), "x.rst7").cell);
}

TEST_CASE("inpcrd: cut at any byte it is refused, or is a shorter file that is whole") {
  const std::string velocities = three + lines_of(velocities_of_three),
                    text = velocities + lines_of({40, 50, 60, 90, 90, 90});
  for (std::size_t size = 0; size + 1 < text.size(); ++size) {
    CAPTURE(size);
    const std::string cut = text.substr(0, size);
    const std::string message = message_of(cut);
    const auto ends_behind = [&](const std::string& whole) {  // with or without its line end, or with blanks
      return size + 1 >= whole.size() && cut.find_first_not_of(" \n", whole.size() - 1) == cut.npos;
    };
    CHECK((message == "no error") == (ends_behind(three) || ends_behind(velocities)));
    if (message == "no error") {
      check_three(read_inpcrd(cut, "x.rst7"));
    } else {
      CHECK(message.starts_with("x.rst7:"));
    }
  }
}

TEST_CASE("inpcrd: what cannot be read is named with its line") {
  CHECK(message_of("t\n") ==
        "x.rst7:1: the file ends before its second line, which has the number of atoms; copy it again");
  CHECK(message_of("t\n3\n" + lines_of(some(6))) ==
        "x.rst7:3: the file ends after 2 of its 3 atoms; copy it again");
  CHECK(message_of("t\n1000000000000\n" + lines_of(some(6)))
            .starts_with("x.rst7:3: the file ends after 2 of its 1000000000000 atoms"));
  CHECK(message_of("t\n4\n" + lines_of(some(6)) + "   1.0000000         nan   3.0000000\n") ==
        "x.rst7:4: 'nan' is not a number in the format 6F12.7 (asterisks: it was too wide); write the file "
        "again");
  CHECK(message_of("t\n4\n" + lines_of(some(6)) + "************   1.0000000   3.0000000\n")
            .starts_with("x.rst7:4: '************' is not"));
  CHECK(
      message_of("t\n2\n 1.0 2.0 3.0 4.0E+00 5.0 6.0\n").starts_with("x.rst7:3: '4.0E+00' is not a number"));
  CHECK(message_of("t\n1\n 1.0 2.0 100000.0\n") ==
        "x.rst7:3: a coordinate before this is too large for an atom; check its unit");
  CHECK(
      message_of(three + lines_of({1, 2, 3, 4})) ==
      "x.rst7:5: after the coordinates of 3 atoms there are 4 numbers, which are neither their velocities "
      "nor a cell of 3 or 6; is the file truncated, or the number of atoms in line 2 wrong? write it again");
  CHECK(message_of("t\n1\n" + lines_of(some(6))) ==
        "x.rst7:3: the line continues after the last of 1 atoms; is their number in line 2 wrong? write the "
        "file again");
  CHECK(message_of("t\n4\n" + lines_of(some(18)))
            .starts_with("x.rst7:5: after the coordinates of 4 atoms there are 6 numbers"));
}

TEST_CASE("inpcrd: is known by its beginning, and nothing else is") {
  CHECK(is_inpcrd(three));
  CHECK(is_inpcrd("\n    1\n   1.0000000   2.0000000   3.0000000\n"));
  for (const char* const other :
       {"", "t\n", "t\n3\n", "water\n    3\n    1SOL     OW    1   0.126   1.624   1.679\n",
        "3\nwater\nO 0.0 0.0 0.0\n", "t\n  12.345  13.221\n   1.000   2.000   3.000\n", "* TITLE\n*\n  2\n",
        "t\n2 3 4 5 6 7\n   1.0000000   2.0000000   3.0000000\n",
        "t\n3\n   1.0000000   2.0000000   3.0000000   4.0000000\n", "t\n3\n  1.000   2.000   3.000\n"}) {
    CAPTURE(std::string(other));
    CHECK_FALSE(is_inpcrd(other));
  }
}
