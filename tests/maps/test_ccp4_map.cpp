// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <cstring>

#include "maps/map_file.hpp"
#include "support/error_of.hpp"
#include "support/map_samples.hpp"
#include "support/temporary_folder.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

// Words of the header, counted from 1 as the format's description does.
constexpr std::size_t word_start = 5, word_skewed = 25, word_skew = 26, word_shift = 35, word_origin = 50,
                      word_labels = 56;

template <typename T>
T word(const std::string& file, std::size_t n) {
  T value{};
  std::memcpy(&value, file.data() + 4 * (n - 1), 4);
  return value;
}

template <typename T>
void put(std::string& file, std::size_t n, T value) {
  std::memcpy(file.data() + 4 * (n - 1), &value, 4);
}

template <typename T>
std::array<T, 3> three(const std::string& file, std::size_t n) {
  return {word<T>(file, n), word<T>(file, n + 1), word<T>(file, n + 2)};
}

/// A map that begins at `origin_A`, half an Angstrom apart, as written under `name`.
std::string bytes_of(const std::string& name, const Vec3<double>& origin_A) {
  const TemporaryFolder folder;
  Sample map = sample({4, 5, 6}, {0.5, 0.5, 0.5});
  map.header.lattice.origin_A = origin_A;
  write(folder / name, map);
  return read_text(folder / name);
}

Vec3<double> origin_read(const std::string& bytes) {
  const TemporaryFolder folder;
  write_text(folder / "a.map", bytes);
  return read_map(folder / "a.map").lattice.origin_A;
}

std::string error_reading(const std::string& bytes) {
  const TemporaryFolder folder;
  write_text(folder / "a.map", bytes);
  return error_of([&] { read_map(folder / "a.map"); });
}

constexpr Vec3<double> between = {-11.44, -20.175, 19.987}, at_steps = {-11.5, 20.0, 0.0};

/// A skew transformation that only moves, of a file without labels.
std::string skewed(const std::array<float, 3>& shift_A) {
  std::string file = bytes_of("a.ccp4", at_steps);
  put(file, word_labels, std::int32_t{0});
  put(file, 28, 0.0F);  // the version of MRC2014 is where a matrix has a number
  put(file, word_skewed, std::int32_t{1});
  for (std::size_t axis = 0; axis < 3; ++axis) {
    put(file, word_skew + 4 * axis, 1.0F);
    put(file, word_shift + axis, shift_A[axis]);
  }
  return file;
}

}  // namespace

TEST_CASE("CCP4: a .mrc has its origin in ORIGIN alone, a .ccp4 none there, so that nothing is added twice") {
  for (const Vec3<double>& origin_A : {between, at_steps}) {
    const std::string mrc = bytes_of("a.mrc", origin_A), ccp4 = bytes_of("a.ccp4", origin_A);
    CHECK(three<float>(mrc, word_origin) ==
          std::array<float, 3>{float(origin_A.x), float(origin_A.y), float(origin_A.z)});
    CHECK(three<std::int32_t>(mrc, word_start) == std::array<std::int32_t, 3>{0, 0, 0});
    CHECK(word<std::int32_t>(mrc, word_skewed) == 0);
    CHECK(word<std::int32_t>(mrc, 28) == 20140);
    CHECK(three<float>(ccp4, word_origin) == std::array<float, 3>{0, 0, 0});
    CHECK(origin_read(mrc) == origin_A);
    CHECK(origin_read(ccp4) == origin_A);
  }
}

TEST_CASE("CCP4: a .ccp4 has the nearest whole steps in NSTART, and the rest in the skew translation") {
  const std::string off = bytes_of("a.ccp4", between), exact = bytes_of("a.map", at_steps);
  CHECK(three<std::int32_t>(off, word_start) == std::array<std::int32_t, 3>{-23, -40, 40});
  CHECK(word<std::int32_t>(off, word_skewed) == 1);
  for (std::size_t n = 0; n < 9; ++n) CHECK(word<float>(off, word_skew + n) == (n % 4 == 0 ? 1.0F : 0.0F));
  const std::array<float, 3> rest = three<float>(off, word_shift);
  CHECK(rest[0] == doctest::Approx(0.06));
  CHECK(rest[1] == doctest::Approx(-0.175));
  CHECK(rest[2] == doctest::Approx(-0.013));
  CHECK(three<std::int32_t>(exact, word_start) == std::array<std::int32_t, 3>{-23, 40, 0});
  CHECK(word<std::int32_t>(exact, word_skewed) == 0);

  const std::string warning = placement_warning("a.ccp4", {between, {0.5, 0.5, 0.5}, {4, 5, 6}}).value_or("");
  CHECK(warning.find("a.ccp4: the origin of this map is not a whole number of lattice steps") == 0);
  CHECK(warning.find("they show the map up to 0.18 A from its position") != warning.npos);
  CHECK(!placement_warning("a.ccp4", {at_steps, {0.5, 0.5, 0.5}, {4, 5, 6}}));
  CHECK(!placement_warning("a.mrc", {between, {0.5, 0.5, 0.5}, {4, 5, 6}}));
}

TEST_CASE("CCP4: a skew translation moves the map, and a skew matrix that turns it is refused") {
  CHECK(origin_read(skewed({0, 0, 0})) == at_steps);
  CHECK(origin_read(skewed({1.25F, -2.5F, 100.0F})) == Vec3<double>{-10.25, 17.5, 100.0});

  std::string turned = skewed({1, 2, 3});  // by 90 degrees about z
  put(turned, word_skew, 0.0F);
  put(turned, word_skew + 1, 1.0F);
  put(turned, word_skew + 3, -1.0F);
  put(turned, word_skew + 4, 0.0F);
  CHECK(error_reading(turned).find("a.map: its skew matrix (words 26 to 34) rotates the map") !=
        std::string::npos);

  std::string both = skewed({1, 2, 3});
  put(both, word_origin, 5.0F);
  CHECK(error_reading(both).find("has both an origin (words 50 to 52) and a skew translation") !=
        std::string::npos);
  put(both, word_skewed, std::int32_t{0});  // no skew, whatever the words hold
  CHECK(origin_read(both) == Vec3<double>{5.0, 0.0, 0.0});
}

TEST_CASE("CCP4: words that MRC programs keep their own things in are no skew transformation") {
  std::string file = bytes_of("a.mrc", between);
  put(file, word_skewed, std::int32_t{1});
  for (std::size_t n = 0; n < 12; ++n) put(file, word_skew + n, 1e30F);
  CHECK(origin_read(file) == between);
}

TEST_CASE("CCP4: what was written before, with NSTART and ORIGIN both, is still at its origin") {
  std::string file = bytes_of("a.mrc", between);
  for (std::size_t axis = 0; axis < 3; ++axis)
    put(file, word_start + axis, std::array<std::int32_t, 3>{-23, -40, 40}[axis]);
  CHECK(origin_read(file) == between);
  put(file, word_labels, std::int32_t{0});
  const Vec3<double> found = origin_read(file);
  CHECK(std::abs(found.x - between.x) < 1e-5);
  CHECK(std::abs(found.y - between.y) < 1e-5);
  CHECK(std::abs(found.z - between.z) < 1e-5);
}
