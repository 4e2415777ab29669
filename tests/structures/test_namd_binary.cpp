// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <limits>

#include "structures/charmm/namd_binary.hpp"
#include "support/error_of.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

std::string coor(std::int32_t count, const std::vector<double>& values, bool big_endian = false) {
  const auto bytes_of = [big_endian](auto value) {
    std::string bytes(reinterpret_cast<const char*>(&value), sizeof value);
    if (big_endian) std::reverse(bytes.begin(), bytes.end());
    return bytes;
  };
  std::string bytes = bytes_of(count);
  for (const double value : values) bytes += bytes_of(value);
  return bytes;
}

std::string coor_error(const std::string& bytes) {
  return error_of([&] { read_namd_binary(bytes, "x.coor"); });
}

const std::vector<double> two_atoms{-1.5, 0.0, 1.0 / 3.0, 200.0, 99999.0, -1e-3};

}  // namespace

TEST_CASE("NAMD binary: either byte order") {
  for (const bool big_endian : {false, true}) {
    const std::string bytes = coor(2, two_atoms, big_endian);
    CHECK(is_namd_binary(bytes));
    CHECK(is_namd_binary(bytes.substr(0, bytes.size() - 3)));  // what is known of a long file is its head
    const Coordinates read = read_namd_binary(bytes, "x.coor");
    REQUIRE(read.positions_A.size() == 2);
    CHECK(read.positions_A[0] == Vec3<double>{-1.5, 0.0, 1.0 / 3.0});
    CHECK(read.positions_A[1] == Vec3<double>{200.0, 99999.0, -1e-3});
    CHECK(read.labels.empty());
  }
}

TEST_CASE("NAMD binary: a file cut at any byte is refused") {
  const std::string bytes = coor(2, two_atoms);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    CAPTURE(size);
    CHECK(coor_error(bytes.substr(0, size)).starts_with("x.coor: "));
  }
  CHECK(coor_error(bytes + '\0') ==
        "x.coor: is not a complete NAMD binary file (its count is 2, but its length has room for 2 atoms); "
        "copy it again");
}

TEST_CASE("NAMD binary: counts and numbers that cannot be") {
  CHECK(coor_error(coor(2000000000, two_atoms)) ==
        "x.coor: is not a complete NAMD binary file (its count is 2,000,000,000, but its length has room for "
        "2 atoms); copy it again");
  CHECK(coor_error(coor(0, {})) == "x.coor: has no atoms; give a file that has atoms");
  CHECK(coor_error(coor(-1, {})).starts_with("x.coor: is not a complete NAMD binary file"));
  const double infinity = std::numeric_limits<double>::infinity();
  CHECK(coor_error(coor(2, {1, 2, 3, 4, infinity, 6})) ==
        "x.coor: atom 2 is at (4, inf, 6), which is not a possible position; use coordinates from before the "
        "run failed");
  CHECK(coor_error(coor(1, {std::numeric_limits<double>::quiet_NaN(), 2, 3}))
            .starts_with("x.coor: atom 1 is at ("));
}

TEST_CASE("NAMD binary: what can begin like one") {
  CHECK_FALSE(is_namd_binary(""));
  CHECK_FALSE(is_namd_binary(coor(1, two_atoms)));  // more numbers than it says
  CHECK_FALSE(is_namd_binary(coor(-2, two_atoms)));
  CHECK_FALSE(is_namd_binary(coor(2, {1, 2, 3, 4, 1e-200, 6})));
  CHECK_FALSE(is_namd_binary(coor(2, {0, 0, 0, 0, 0, 0})));
  CHECK_FALSE(is_namd_binary("ATOM      1  N   MET A   1      11.269 124.021 231.688  0.1592 1.8240\n"));
  CHECK_FALSE(is_namd_binary(std::string("T\0\0\0CORD", 8) + std::string(1000, '\0')));
  CHECK_FALSE(is_namd_binary(std::string("CDF\1\0\0\0\0\0\0\0\12", 12) + std::string(1000, '\0')));
}
