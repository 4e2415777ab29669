#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <fstream>

#include "io/input_file.hpp"
#include "io/map_file.hpp"
#include "io/packing.hpp"
#include "support/cases.hpp"
#include "support/error_of.hpp"
#include "support/scratch_folder.hpp"
#include "support/shared_data.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

struct Sample {
  MapHeader header;
  std::vector<double> values;
};

/// Values of all magnitudes and signs, and a geometry with digits that no format's fields hold.
Sample sample(Vec3<std::int64_t> counts, Vec3<double> spacing_A = {0.5, 0.25, 1.0 / 3.0}) {
  Sample map;
  map.header.lattice = {{-12.345678901234567, 0.001, 99.5}, spacing_A, counts};
  map.header.unit = MapUnit::kcal_mol_e;
  map.header.temperature_K = 310.5;
  map.header.provenance = {{"program", "some program 1.2"},
                           {"command", "ionwell map a.pqr -o b.dx"},
                           {"structure", "a.pqr"},
                           {"method", "direct sum"},
                           {"comment", "made by hand"}};
  Random random(7);
  for (std::int64_t n = 0; n < map.header.lattice.size(); ++n)
    map.values.push_back(random.between(-1.0, 1.0) * std::pow(10.0, random.between(-7.0, 4.0)));
  return map;
}

void write(const std::string& path, const Sample& map, int threads = 2) {
  OutputFile file(path);
  write_map(file, map.header, std::span<const double>(map.values), threads, {});
  file.commit();
}

double worst_relative(const Map& found, const std::vector<double>& expected) {
  double worst = 0.0;
  for (std::size_t n = 0; n < expected.size(); ++n)
    worst = std::max(worst, std::abs(found.values[n] / expected[n] - 1.0));
  return worst;
}

struct Format {
  std::string ending;
  double precision;  // relative, of a value
  bool has_provenance = true;
};

const std::vector<Format>& formats() {
  static const std::vector<Format> all = {
      {".dx", 5.1e-7},        {".dx.gz", 5.1e-7}, {".dxbin", 0.0},
      {".h5", 0.0},           {".cmap", 0.0},     {".ccp4", 6.0e-8, true},
      {".mrc", 6.0e-8, true}, {".cube", 5.1e-6},  {".grd", 5.1e-6, false}};
  return all;
}

void write_bytes(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

/// What reading `bytes` under a name says, without the folder.
std::string error_reading(const std::string& name, const std::string& bytes) {
  const ScratchFolder folder;
  write_bytes(folder / name, bytes);
  std::string message = error_of([&] { read_map(folder / name, 2); });
  if (message.starts_with(folder / name)) message.erase(0, folder.path().size() + 1);
  return message;
}

std::string small_dx(const std::string& values) {
  return "object 1 class gridpositions counts 2 1 2\norigin 0 0 0\ndelta 1 0 0\ndelta 0 1 0\ndelta 0 0 1\n"
         "object 2 class gridconnections counts 2 1 2\n"
         "object 3 class array type double rank 0 items 4 data follows\n" +
         values;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

const std::string again = "copy the file again, or check the program that wrote it";

}  // namespace

TEST_CASE("maps: every format keeps geometry exactly and values to its digits") {
  const ScratchFolder folder;
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

TEST_CASE("maps: values computed in single precision come back as they are from binary formats") {
  const ScratchFolder folder;
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
  const ScratchFolder folder;
  const Sample map = sample({70, 81, 90});  // 6.8 MB of text
  write(folder / "a.dx", map);
  const Map one = read_map(folder / "a.dx", 1), four = read_map(folder / "a.dx", 4);
  CHECK(worst_relative(one, map.values) < 5.1e-7);
  CHECK(std::equal(one.all().begin(), one.all().end(), four.all().begin()));
}

TEST_CASE("maps: OpenDX in all dialects") {
  const std::string values = "1 2.5E+00\n-3e-1\t+4.0D+01\n";
  const auto read = [](const std::string& bytes) {
    const ScratchFolder folder;
    write_bytes(folder / "a.dx", bytes);
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

TEST_CASE("maps: broken OpenDX files have one clear message") {
  const std::string good = small_dx("1 2 3 4\n");
  CHECK(error_reading("a.dx", small_dx("1 2 3\n")) == "a.dx: ends after 3 of 4 values; " + again);
  CHECK(error_reading("a.dx", small_dx("1 2\nattribute \"dep\"\n")) ==
        "a.dx:9: only 2 of 4 values are there; " + again);
  CHECK(error_reading("a.dx", small_dx("1 2\n3 x4\n")) ==
        "a.dx:9: value 4 of 4 is 'x4', which is not a number; " + again);
  CHECK(error_reading("a.dx", small_dx("1 2 3 4 5\n")) ==
        "a.dx: more than 4 values follow the header, which names that many; " + again);
  CHECK(error_reading("a.dx", small_dx("1 nan 3 4\n")) ==
        "a.dx: the value at point (0, 0, 1), at (0.000, 0.000, 1.000) A is nan, which is no potential; make "
        "the map "
        "again, or repair the value");
  CHECK(error_reading("a.dx", small_dx("1 2 1e999 4\n"))
            .find("point (1, 0, 0), at (1.000, 0.000, 0.000) A is inf") != std::string::npos);
  CHECK(error_reading("a.dx", replaced(good, "items 4", "items 5")) ==
        "a.dx:7: the file names 5 values for 2 x 1 x 2 = 4 points; " + again);
  CHECK(error_reading("a.dx", replaced(good, "gridconnections counts 2 1 2", "gridconnections counts 2 2 2"))
            .find("a.dx:7: gridconnections has other counts than gridpositions (2 2 2 and 2 1 2); ") == 0);
  CHECK(error_reading("a.dx", replaced(good, "delta 0 1 0", "delta 0.1 1 0"))
            .find("a.dx:4: delta 2 is (0.1, 1, 0), but maps must have axes along x, y and z") == 0);
  CHECK(error_reading("a.dx", replaced(good, "delta 0 1 0", "delta 0 -1 0"))
            .find("a.dx: the spacing along the axes is 1, -1, 1 A, but must be greater than 0") == 0);
  CHECK(error_reading("a.dx", replaced(good, "delta 0 1 0\n", ""))
            .find("a.dx:6: there are 2 delta lines before the values") == 0);
  CHECK(error_reading("a.dx", replaced(good, "counts 2 1 2", "counts 2 1 two")) ==
        "a.dx:1: the number of points along z is 'two', which is not a whole number; " + again);
  const std::string huge =
      replaced(replaced(good, "counts 2 1 2", "counts 1048576 1048576 1"), "items 4", "items 1099511627776");
  CHECK(error_reading("a.dx", replaced(huge, "counts 2 1 2", "counts 1048576 1048576 1")) ==
        "a.dx: 1099511627776 values cannot be in the 8 bytes that are left; " + again);
  CHECK(error_reading("a.dx", replaced(good, "counts 2 1 2", "counts 9000000000 9000000000 9"))
            .find("is larger than any that can be read (2^40 points)") != std::string::npos);
  CHECK(error_reading("a.dx", good.substr(0, 100)) ==
        "a.dx: ends before its values ('data follows' is missing); " + again);
  CHECK(error_reading("a.dx", replaced(good, "rank 0", "rank 1 shape 3"))
            .find("a.dx:7: the values are vectors") == 0);
  CHECK(error_reading("a.dx", replaced(good, "data follows", "binary data follows")) ==
        "a.dx: 8 bytes follow the header, but 4 values take 16 in single or 32 in double precision; " +
            again);
  CHECK(error_reading("a.txt", "hello\n").find("a.txt: is no map that can be read") == 0);
}

TEST_CASE("maps: a compressed file that unpacks to no end is refused with bounded memory") {
  const std::string bomb = gzip(small_dx(std::string(100 << 20, ' ')));
  CHECK(bomb.size() < (1 << 20));
  const std::string message = error_reading("a.dx.gz", bomb);
  CHECK(message.find("a.dx.gz: unpacks to more than 10") == 0);
  const std::string packed = gzip(small_dx("1 2 3 4\n"));
  CHECK(error_reading("a.dx.gz", packed.substr(0, packed.size() - 9)) ==
        "a.dx.gz: ends in the middle of its gzip data; copy the file again");
}

TEST_CASE("maps: cut and contradictory files of the other formats are refused") {
  const ScratchFolder folder;
  const Sample map = sample({6, 7, 8}, {0.5, 0.5, 0.5});
  for (const Format& format : formats()) {
    const std::string name = "a" + format.ending;
    CAPTURE(name);
    write(folder / name, map);
    const std::string bytes = contents_of(folder / name);
    for (const double part : {0.01, 0.3, 0.6, 0.9}) {
      CAPTURE(part);
      const std::string message =
          error_reading(name, bytes.substr(0, std::size_t(double(bytes.size()) * part)));
      CHECK(message.find(name) == 0);
      CHECK(message.find('\n') == std::string::npos);
    }
  }
  write(folder / "a.grd", map);
  const std::string grd = contents_of(folder / "a.grd");
  CHECK(error_reading("a.grd", replaced(grd, "\n      2      6      7\n", "\n      2      6      8\n"))
            .find("a.grd: plane 2 begins with '2 6 8' instead of '2 6 7'") == 0);
  CHECK(error_reading("a.grd", grd + " 1.0\n").find("a.grd: goes on after the 336 values") == 0);
  CHECK(error_reading("a.grd", replaced(grd, "      6      7      8", "      6      x      8"))
            .find("a.grd:3: '      x' is no whole number") == 0);
  write(folder / "a.cube", map);
  const std::string cube = contents_of(folder / "a.cube");
  CHECK(error_reading("a.cube", replaced(cube, "    7     0.000000000000", "    7     0.500000000000"))
            .find("a.cube:5: step 2 is (0.5, ") == 0);
  CHECK(
      error_reading("a.cube", replaced(cube, "\n    1 ", "\n   -3 ")).find("a.cube:3: the number of atoms") ==
      0);
  write(folder / "a.ccp4", map);
  std::string ccp4 = contents_of(folder / "a.ccp4");
  const float skew = 60.0F;
  std::memcpy(ccp4.data() + 4 * 15, &skew, 4);
  CHECK(error_reading("a.ccp4", ccp4).find("a.ccp4: the cell has an angle of 60 degrees") == 0);
  ccp4[12] = 4;
  CHECK(error_reading("a.ccp4", ccp4).find("a.ccp4: the cell has") == 0);
  const Sample uneven = sample({3, 3, 3});
  CHECK(error_of([&] {
          write(folder / "b.grd", uneven);
        }).find("UHBD's format has one spacing for all axes, and this map has 0.5, 0.25 and 0.333333 A") !=
        std::string::npos);
}

TEST_CASE("maps: CCP4 in the other byte order, with axes in any order, as other programs write it") {
  const ScratchFolder folder;
  const Sample map = sample({5, 6, 7}, {0.5, 0.25, 0.125});
  write(folder / "a.ccp4", map);
  std::string bytes = contents_of(folder / "a.ccp4");
  const auto start = [](const std::string& file) { return file.substr(16, 12); };  // the words NSTART
  CHECK(start(bytes) == std::string("\xe7\xff\xff\xff\0\0\0\0\x1c\x03\0\0", 12));  // -25, 0, 796 steps
  write(folder / "a.mrc", map);
  CHECK(start(contents_of(folder / "a.mrc")) == std::string(12, '\0'));
  std::string turned = bytes;
  for (std::size_t word = 0; word < bytes.size() / 4; ++word) {
    if (word == 52 || (word >= 56 && word < 256)) continue;  // text
    for (std::size_t b = 0; b < 4; ++b) turned[4 * word + b] = bytes[4 * word + 3 - b];
  }
  write_bytes(folder / "b.ccp4", turned);
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
  put(55, std::int32_t{0});
  std::size_t at = 1024;
  for (std::int64_t j = 0; j < 6; ++j)
    for (std::int64_t i = 0; i < 5; ++i)
      for (std::int64_t k = 0; k < 7; ++k, at += 4)
        put(at / 4, float(map.values[std::size_t(map.header.lattice.index(i, j, k))]));
  write_bytes(folder / "c.ccp4", swapped);
  const Map found = read_map(folder / "c.ccp4");
  CHECK(found.lattice == LatticeGeometry{{1.0, 0.75, -0.5}, {0.5, 0.25, 0.125}, {5, 6, 7}});
  CHECK(worst_relative(found, map.values) < 6e-8);
}

TEST_CASE("maps: units") {
  const ScratchFolder folder;
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
        folder / "a.dx" + ": does not say the unit of its values; --map-unit names it");
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
            ": says that its values are in mV, but --map-unit is V; leave --map-unit out, or correct "
            "the file's first lines");
  CHECK(map_unit("kcal/mol/e") == MapUnit::kcal_mol_e);
  CHECK(find_map_unit("# POTENTIAL (kT/e)\n") == MapUnit::kT_e);
  CHECK(!find_map_unit("density (e/A^3)"));
}

TEST_CASE("maps: names tell the format to write") {
  for (const char* const name : {"map", "map.dy", ".dx", "map.gz", "map.dx.bz2"}) {
    CAPTURE(std::string(name));
    CHECK(error_of([&] { check_map_name(name); }).find("cannot tell the format of the map ") == 0);
  }
  for (const char* const name : {"a.DX", "b.dx.gz", "c.Cmap", "d.mrc", "e.grd"}) check_map_name(name);
  CHECK(is_map_name("a.ccp4.gz"));
  CHECK(!is_map_name("a.pqr"));
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
