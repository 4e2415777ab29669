// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <zlib.h>

#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <random>
#include <sstream>

#include "files/input_file.hpp"
#include "files/scientific_text.hpp"
#include "maps/dx_map.hpp"
#include "support/error_of.hpp"
#include "support/temporary_folder.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

struct Written {
  LatticeGeometry lattice;
  std::vector<float> values;
};

struct Settings {
  std::vector<std::string> comments;
  int threads = 0;
};

Written random_map(Vec3<std::int64_t> counts, std::uint64_t seed = 1) {
  Written map{{{-12.345, 0.001, 99.5}, {0.5, 0.25, 1.0 / 3.0}, counts}, {}};
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> exponent(-8.0, 4.0);
  for (std::int64_t i = 0; i < map.lattice.size(); ++i)
    map.values.push_back(float((random() % 2 ? 1 : -1) * std::pow(10.0, exponent(random))));
  return map;
}

void write(const std::string& path, const Written& map, const Settings& settings = {}) {
  OutputFile file(path);
  MapHeader header{.lattice = map.lattice, .unit = MapUnit::kT_e};
  for (const std::string& comment : settings.comments) header.provenance.emplace_back("comment", comment);
  const DxKind kind = path.ends_with(".gz") ? DxKind::gzip : DxKind::text;
  write_dx(file, header, std::span<const float>(map.values), kind, settings.threads, {});
  file.commit();
}

/// Reads what write_dx wrote, by words, as APBS's readers do.
Written read(const std::string& text) {
  std::istringstream in(text);
  Written map;
  const auto skip = [&](const char* words) {
    std::istringstream expected(words);
    for (std::string word, found; expected >> word;) {
      in >> found;
      REQUIRE(found == word);
    }
  };
  while (in.peek() == '#') in.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  auto& [lattice, values] = map;
  skip("object 1 class gridpositions counts");
  in >> lattice.counts.x >> lattice.counts.y >> lattice.counts.z;
  skip("origin");
  in >> lattice.origin_A.x >> lattice.origin_A.y >> lattice.origin_A.z;
  double zero[6] = {};
  skip("delta");
  in >> lattice.spacing_A.x >> zero[0] >> zero[1];
  skip("delta");
  in >> zero[2] >> lattice.spacing_A.y >> zero[3];
  skip("delta");
  in >> zero[4] >> zero[5] >> lattice.spacing_A.z;
  for (const double z : zero) CHECK(z == 0.0);
  skip("object 2 class gridconnections counts");
  Vec3<std::int64_t> again;
  in >> again.x >> again.y >> again.z;
  CHECK(again == lattice.counts);
  skip("object 3 class array type double rank 0 items");
  std::int64_t items = 0;
  in >> items;
  CHECK(items == lattice.size());
  skip("data follows");
  values.resize(std::size_t(items));
  const char* at = text.c_str() + in.tellg();  // a stream would take half a minute under the sanitizers
  char* end = nullptr;
  for (std::int64_t i = 0; i < lattice.counts.x; ++i)
    for (std::int64_t j = 0; j < lattice.counts.y; ++j)
      for (std::int64_t k = 0; k < lattice.counts.z; ++k, at = end)
        values[std::size_t(lattice.index(i, j, k))] = std::strtof(at, &end);
  in.seekg(at - text.c_str());
  skip("attribute \"dep\" string \"positions\" object \"regular positions regular connections\" class field");
  skip("component \"positions\" value 1 component \"connections\" value 2 component \"data\" value 3");
  in >> std::ws;
  CHECK(in.eof());
  return map;
}

void check_same(const Written& found, const Written& written) {
  REQUIRE(found.lattice.counts == written.lattice.counts);
  CHECK(found.lattice.origin_A.x == written.lattice.origin_A.x);
  CHECK(found.lattice.spacing_A.z == doctest::Approx(written.lattice.spacing_A.z).epsilon(1e-9));
  double worst = 0.0;
  for (std::size_t i = 0; i < written.values.size(); ++i)
    worst = std::max(worst, std::abs(double(found.values[i]) / double(written.values[i]) - 1.0));
  CHECK(worst < 6e-7);  // seven digits: half a unit of the last, and the rounding to float
}

}  // namespace

TEST_CASE("DX: the file of a small map, to the letter") {
  const TemporaryFolder folder;
  const Written map{{{-1.0, 0.0, 2.5}, {0.5, 0.5, 1.0 / 3.0}, {2, 1, 2}}, {1.0F, -22.5F, 3e-31F, -0.0F}};
  write(folder / "a.dx", map, {.comments = {"two\nlines"}});
  const std::string text = read_text(folder / "a.dx");
  CHECK(text.find("# Electrostatic potential (kT/e) by ionwell ") == 0);
  CHECK(text.substr(text.find('\n') + 1) ==
        "# two lines\n"
        "object 1 class gridpositions counts 2 1 2\n"
        "origin -1.000000000e+00 0.000000000e+00 2.500000000e+00\n"
        "delta 5.000000000e-01 0.000000000e+00 0.000000000e+00\n"
        "delta 0.000000000e+00 5.000000000e-01 0.000000000e+00\n"
        "delta 0.000000000e+00 0.000000000e+00 3.3333333333333331e-01\n"
        "object 2 class gridconnections counts 2 1 2\n"
        "object 3 class array type double rank 0 items 4 data follows\n"
        "1.000000e+00 0.000000e+00 -2.250000e+01\n"
        "0.000000e+00\n"
        "attribute \"dep\" string \"positions\"\n"
        "object \"regular positions regular connections\" class field\n"
        "component \"positions\" value 1\n"
        "component \"connections\" value 2\n"
        "component \"data\" value 3\n");
}

TEST_CASE("DX: maps of any size come back, whatever the threads, packed or not") {
  const TemporaryFolder folder;
  const Vec3<std::int64_t> sizes[] = {{1, 1, 1},   {1, 1, 3},    {3, 5, 7},     {16, 16, 16}, {17, 1, 33},
                                      {33, 2, 17}, {47, 61, 53}, {5, 200, 131}, {200, 3, 1}};
  for (const Vec3<std::int64_t>& size : sizes) {
    CAPTURE(size.x);
    CAPTURE(size.z);
    const Written map = random_map(size);
    write(folder / "one.dx", map, {.threads = 1});
    write(folder / "three.dx", map, {.threads = 3});
    write(folder / "packed.dx.gz", map, {.threads = 3});
    const std::string text = read_text(folder / "one.dx");
    check_same(read(text), map);
    CHECK(read_text(folder / "three.dx") == text);
    const std::string packed = read_text(folder / "packed.dx.gz");
    CHECK(gunzip(packed, "x").text() == text);
    CHECK(packed.size() < text.size());
  }
}

TEST_CASE("DX: a map of more than one slab comes back") {
  const TemporaryFolder folder;
  Written map{{{0, 0, 0}, {1, 1, 1}, {35, 260, 470}}, {}};
  for (std::int64_t i = 0; i < map.lattice.size(); ++i) map.values.push_back(float(i + 1));
  write(folder / "a.dx", map, {.threads = 2});
  check_same(read(read_text(folder / "a.dx")), map);
}

TEST_CASE("DX: progress grows to 1") {
  const TemporaryFolder folder;
  Written map{{{0, 0, 0}, {1, 1, 1}, {40, 530, 500}}, {}};  // transposed sixteen planes at a time
  map.values.assign(std::size_t(map.lattice.size()), 1.0F);
  OutputFile file(folder / "a.dx");
  std::vector<double> parts;
  write_dx(file, {.lattice = map.lattice}, std::span<const float>(map.values), DxKind::text, 0,
           [&](double part) { parts.push_back(part); });
  CHECK(parts == std::vector<double>{0.4, 0.8, 1.0});
}

TEST_CASE("DX: numbers are those of printf") {
  const ScientificText scientific;
  const auto text_of = [&](float value) {
    char text[ScientificText::longest + 1];
    return std::string(text, scientific.write(value, text));
  };
  const auto printed = [](float value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.6e", double(value));
    return std::string(text);
  };
  int different = 0;
  std::mt19937 random(3);
  for (int i = 0; i < 300'000; ++i) {
    const std::uint32_t bits = random();
    const float value = std::bit_cast<float>(bits);
    if (std::isfinite(value) && std::abs(value) > 1e-30F) different += text_of(value) != printed(value);
  }
  CHECK(different == 0);
  for (int exponent = -30; exponent <= 38; ++exponent)
    for (const float factor : {0.99999994F, 1.0F, 1.0000001F, 0.9999995F, 5.0F, 3.4028F}) {
      const float value = factor * float(std::pow(10.0, exponent));
      if (value > 1e-30F && std::isfinite(value)) CHECK(text_of(-value) == printed(-value));
    }
  CHECK(text_of(std::numeric_limits<float>::max()) == "3.402823e+38");
  CHECK(text_of(-1e-31F) == "0.000000e+00");
  CHECK(text_of(-0.0F) == "0.000000e+00");
  CHECK(text_of(std::numeric_limits<float>::denorm_min()) == "0.000000e+00");
}

TEST_CASE("DX: what readers could not take is refused") {
  const TemporaryFolder folder;
  Written map = random_map({30, 60, 60});
  map.values[100'000] = std::numeric_limits<float>::infinity();
  const std::string path = folder / "a.dx.gz";
  CHECK(error_of([&] { write(path, map, {.threads = 3}); }) ==
        path +
            ": the potential at point (10, 33, 55), at (-7.345, 8.251, 117.833) A is not finite, which "
            "programs that read maps do not accept; please report this");
  CHECK(folder.entries().empty());
  map.values.pop_back();
  CHECK(error_of([&] { write(folder / "a.dx", map); }) ==
        "a map of 108,000 points needs as many values, not 107,999");
}
