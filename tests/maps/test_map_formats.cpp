// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "files/input_file.hpp"
#include "files/output_file.hpp"
#include "files/packing.hpp"
#include "maps/map_file.hpp"
#include "maps/map_format.hpp"
#include "support/error_of.hpp"
#include "support/map_samples.hpp"
#include "support/shared_data.hpp"
#include "support/temporary_folder.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

double worst_relative(const Map& found, const std::vector<double>& expected) {
  double worst = 0.0;
  for (std::size_t n = 0; n < expected.size(); ++n)
    worst = std::max(worst, std::abs(found.values[n] / expected[n] - 1.0));
  return worst;
}

}  // namespace

TEST_CASE("maps: every format keeps geometry exactly and values to its digits") {
  const TemporaryFolder folder;
  const Vec3<std::int64_t> sizes[] = {{1, 1, 1}, {2, 3, 5}, {33, 17, 40}, {7, 64, 31}, {65, 1, 2}};
  for (const Format& format : formats())
    for (const Vec3<std::int64_t>& size : sizes) {
      CAPTURE(format.ending);
      CAPTURE(size.x);
      const bool cubic = format.ending == ".grd";
      Sample map = sample(size, cubic ? Vec3<double>{0.3, 0.3, 0.3} : Vec3<double>{0.5, 0.25, 1.0 / 3.0});
      if (cubic)
        map.header.lattice.origin_A = {-12.345, 0.001, 99.5};  // its title has room for 72 characters
      const std::string path = folder / ("map" + format.ending);
      write(path, map);
      const Map found = read_map(path, 3);
      CHECK(found.lattice == map.header.lattice);
      CHECK(found.unit == map.header.unit);
      CHECK(worst_relative(found, map.values) <= format.precision);
      if (!format.has_provenance) continue;
      CHECK(found.temperature_K == map.header.temperature_K);
      CHECK(found.provenance == map.header.provenance);
      write(folder / ("again" + format.ending),
            {found, std::vector<double>(found.all().begin(), found.all().end())});
      const Map twice = read_map(folder / ("again" + format.ending));
      CHECK(twice.lattice == found.lattice);
      CHECK(worst_relative(twice, {found.all().begin(), found.all().end()}) == 0.0);
    }
}

TEST_CASE("maps: kT/e is nothing without its temperature, which every format keeps") {
  const TemporaryFolder folder;
  for (const Format& format : formats()) {
    CAPTURE(format.ending);
    Sample map = sample({5, 6, 7}, {0.5, 0.5, 0.5});
    map.header.lattice.origin_A = {-1.5, 0.25, 3.0};
    map.header.unit = MapUnit::kT_e;
    map.header.temperature_K = 310.15;
    const std::string path = folder / ("map" + format.ending);
    write(path, map);
    CHECK(read_map(path).temperature_K.value_or(0.0) == doctest::Approx(310.15));
    CHECK(read_map(path).lattice == map.header.lattice);
  }
}

TEST_CASE("maps: values computed in single precision come back as they are from binary formats") {
  const TemporaryFolder folder;
  const Sample map = sample({9, 10, 11});
  const std::vector<float> single(map.values.begin(), map.values.end());
  for (const char* const name : {"a.h5", "a.ccp4", "a.dxbin"}) {
    CAPTURE(std::string(name));
    OutputFile file(folder / name);
    write_map(file, map.header, std::span<const float>(single), 2, {});
    file.commit();
    const Map found = read_map(folder / name);
    CHECK(worst_relative(found, {single.begin(), single.end()}) == 0.0);
  }
}

TEST_CASE("maps: text of any number of pieces gives the same values with any number of threads") {
  const TemporaryFolder folder;
  const Sample map = sample({70, 81, 90});  // 6.8 MB of text
  write(folder / "a.dx", map);
  const Map one = read_map(folder / "a.dx", 1), four = read_map(folder / "a.dx", 4);
  CHECK(worst_relative(one, map.values) < 5.1e-7);
  CHECK(std::equal(one.all().begin(), one.all().end(), four.all().begin()));
}

TEST_CASE("maps: OpenDX in all dialects") {
  const std::string values = "1 2.5E+00\n-3e-1\t+4.0D+01\n";
  const auto read = [](const std::string& bytes) {
    const TemporaryFolder folder;
    write_text(folder / "a.dx", bytes);
    Map map = read_map(folder / "a.dx");
    return std::make_pair(std::vector<double>(map.all().begin(), map.all().end()), map.unit);
  };
  const std::vector<double> expected = {1, -0.3, 2.5, 40};  // x fastest
  CHECK(read(small_dx(values)).first == expected);
  CHECK(read(small_dx("1 2.5 -0.3 40")).first == expected);
  CHECK(read(small_dx("1\r\n2.5 \r\n-0.3  40   \r\nobject \"x\" call field\r\n")).first == expected);
  CHECK(read(replaced(small_dx(values), "data follows", "follows")).first == expected);
  CHECK(read(replaced(small_dx(values), "items 4 data", "items 4         data")).first == expected);
  CHECK(read(replaced(small_dx(values), "type double", "type \"float\"")).first == expected);
  CHECK(read(replaced(small_dx(values), "object 2 class gridconnections counts 2 1 2\n", "")).first ==
        expected);
  CHECK(read("# a\n#\n\n# POTENTIAL (kT/e)\n" + small_dx(values)).second == MapUnit::kT_e);
  CHECK(!read("# a (b)\n" + small_dx(values)).second);

  const auto binary = [&](auto kind, const std::string& end) {
    std::string bytes = replaced(small_dx(""), "data follows", "binary data follows");
    for (const double v : {1.0, 2.5, -0.3, 40.0}) {
      const auto number = decltype(kind)(v);
      bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
    }
    return bytes + end;
  };
  const std::string footer = "\nattribute \"dep\" string \"positions\"\nobject \"a\" class field\n";
  for (const std::string& end : {std::string(), std::string("\n"), footer}) {
    CHECK(read(binary(double{}, end)).first == expected);
    CHECK(read(binary(float{}, end)).first == std::vector<double>{1, double(-0.3F), 2.5, 40});
  }
}

TEST_CASE("maps: CCP4 in the other byte order, with axes in any order, as other programs write it") {
  const TemporaryFolder folder;
  const Sample map = sample({5, 6, 7}, {0.5, 0.25, 0.125});
  write(folder / "a.ccp4", map);
  std::string bytes = read_text(folder / "a.ccp4");
  const auto start = [](const std::string& file) { return file.substr(16, 12); };  // the words NSTART
  CHECK(start(bytes) == std::string("\xe7\xff\xff\xff\0\0\0\0\x1c\x03\0\0", 12));  // -25, 0, 796 steps
  write(folder / "a.mrc", map);
  CHECK(start(read_text(folder / "a.mrc")) == std::string(12, '\0'));
  std::string turned = bytes;
  for (std::size_t word = 0; word < bytes.size() / 4; ++word) {
    if (word == 52 || (word >= 56 && word < 256)) continue;  // text
    for (std::size_t b = 0; b < 4; ++b) turned[4 * word + b] = bytes[4 * word + 3 - b];
  }
  write_text(folder / "b.ccp4", turned);
  CHECK(worst_relative(read_map(folder / "b.ccp4"), map.values) < 6e-8);

  std::string swapped = bytes;  // columns along z, rows along x, sections along y; no ORIGIN, so start counts
  const auto put = [&](std::size_t word, auto value) { std::memcpy(swapped.data() + 4 * word, &value, 4); };
  const std::int32_t counts[] = {7, 5, 6}, starts[] = {-4, 2, 3}, axes[] = {3, 1, 2};
  for (std::size_t n = 0; n < 3; ++n) {
    put(n, counts[n]);
    put(4 + n, starts[n]);
    put(16 + n, axes[n]);
    put(49 + n, 0.0F);
  }
  put(24, std::int32_t{0});  // no skew
  put(55, std::int32_t{0});
  std::size_t at = 1024;
  for (std::int64_t j = 0; j < 6; ++j)
    for (std::int64_t i = 0; i < 5; ++i)
      for (std::int64_t k = 0; k < 7; ++k, at += 4)
        put(at / 4, float(map.values[std::size_t(map.header.lattice.index(i, j, k))]));
  write_text(folder / "c.ccp4", swapped);
  const Map found = read_map(folder / "c.ccp4");
  CHECK(found.lattice == LatticeGeometry{{1.0, 0.75, -0.5}, {0.5, 0.25, 0.125}, {5, 6, 7}});
  CHECK(worst_relative(found, map.values) < 6e-8);
}

TEST_CASE("maps: units") {
  const TemporaryFolder folder;
  Sample map = sample({1, 1, 1});
  map.values = {1.0};
  map.header.unit.reset();
  map.header.temperature_K.reset();
  write(folder / "a.dx", map);
  const auto in = [&](MapUnit from, MapUnit to) {
    Map read = read_map(folder / "a.dx");
    state_unit(read, from);
    convert_unit(read, to, 298.15);
    return read.values[0];
  };
  // 298.15 K: R T = 0.592484 kcal/mol = 2.478957 kJ/mol, k T / e = 25.69258 mV (CODATA 2018)
  CHECK(in(MapUnit::kT_e, MapUnit::mV) == doctest::Approx(25.692579).epsilon(1e-6));
  CHECK(in(MapUnit::kT_e, MapUnit::kcal_mol_e) == doctest::Approx(0.5924849).epsilon(1e-6));
  CHECK(in(MapUnit::kJ_mol_e, MapUnit::kT_e) == doctest::Approx(1.0 / 2.4789570).epsilon(1e-6));
  CHECK(in(MapUnit::V, MapUnit::mV) == doctest::Approx(1000.0).epsilon(1e-12));
  CHECK(in(MapUnit::kcal_mol_e, MapUnit::kJ_mol_e) == doctest::Approx(4.184).epsilon(1e-12));
  Map read = read_map(folder / "a.dx");
  CHECK(error_of([&] { convert_unit(read, MapUnit::V, 300); }) ==
        folder / "a.dx" + ": does not state the unit of its values; give it with --map-unit");
  for (const MapUnit unit :
       {MapUnit::kT_e, MapUnit::kcal_mol_e, MapUnit::kJ_mol_e, MapUnit::mV, MapUnit::V}) {
    map.header.unit = unit;
    write(folder / "b.dx", map);
    CHECK(read_map(folder / "b.dx").unit == unit);
    CHECK(map_unit(to_string(unit)) == unit);
  }
  map.header.unit = MapUnit::mV;
  write(folder / "b.dx", map);
  Map stated = read_map(folder / "b.dx");
  CHECK(error_of([&] { state_unit(stated, MapUnit::V); }) ==
        folder / "b.dx" +
            ": states that its values are in mV, but --map-unit is V; leave --map-unit out, or correct the "
            "file's first lines");
  CHECK(map_unit("kcal/mol/e") == MapUnit::kcal_mol_e);
  CHECK(find_map_unit("# POTENTIAL (kT/e)\n") == MapUnit::kT_e);
  CHECK(find_map_unit("potential (kcal/(mol e), 1 atm)") == MapUnit::kcal_mol_e);
  CHECK(!find_map_unit("density (e/A^3)"));
}

TEST_CASE("maps: VMD's PME plugin writes unit and temperature into one pair of parentheses") {
  const TemporaryFolder folder;
  const auto read = [&](const std::string& comment) {
    write_text(folder / "pme.dx",
               "# " + comment +
                   "\nobject 1 class gridpositions counts 1 1 2\norigin 0 0 0\ndelta 1 0 0\n"
                   "delta -0 1 0\ndelta -0 -0 1\nobject 2 class gridconnections counts 1 1 2\n"
                   "object 3 class array type double rank 0 items 2 data follows\n1 2\n");
    return read_map(folder / "pme.dx");
  };
  for (const std::string comment : {"PME potential (kT/e, T=300K)", "PME potential (kT/e, T = 300 K)"}) {
    CHECK(read(comment).unit == MapUnit::kT_e);
    CHECK(read(comment).temperature_K == 300.0);
  }
  CHECK(!read("potential (kT/e, mean of 10)").temperature_K);
  CHECK(read("potential (kT/e, mean of 10)").unit == MapUnit::kT_e);
  CHECK(!read("PME potential (T=300K)").unit);
}

TEST_CASE("maps: names tell the format to write") {
  for (const char* const name : {"map", "map.dy", ".dx", "map.gz", "map.dx.bz2"}) {
    CAPTURE(std::string(name));
    CHECK(error_of([&] { check_map_name(name); }).find("cannot tell the format of the map ") == 0);
  }
  for (const char* const name : {"a.DX", "b.dx.gz", "c.Cmap", "d.mrc", "e.grd"}) check_map_name(name);
  CHECK(format_of("", "a.ccp4.gz") == MapFormat::ccp4);
  CHECK(!format_of("", "a.pqr"));
}

TEST_CASE("maps: files of other programs") {
  struct Known {
    std::string name;
    Vec3<std::int64_t> counts;
    std::int64_t index;
    double value;
  };
  // Values read off the files by hand; the CCP4 one by gemmi.
  const Known files[] = {{"amber_rism_guv.O.1.dx.gz", {56, 56, 64}, 0, 1.0028},
                         {"mdpocket_freq_grid.dx.gz", {81, 68, 94}, 0, 0.0},
                         {"ngl_esp.dx.gz", {57, 52, 26}, 0, 0.0},
                         {"ngl_hf.dx.gz", {57, 52, 26}, 0, 0.0},
                         {"vmd_volmap_0.dx.gz", {75, 75, 115}, 0, 0.0},
                         {"1jzv.ccp4.gz", {76, 96, 70}, -1, 0.0}};
  for (const Known& known : files) {
    CAPTURE(known.name);
    const std::string path = shared_data("data/maps/" + known.name);
    if (path.empty()) return;
    const Map map = read_map(path);
    CHECK(map.lattice.counts == known.counts);
    if (known.index >= 0) CHECK(map.values[std::size_t(known.index)] == known.value);
    CHECK(!map.unit);
  }
}
