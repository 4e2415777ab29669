// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <hdf5.h>

#include <array>
#include <cstring>

#include "core/error.hpp"
#include "files/packing.hpp"
#include "maps/hdf5_handle.hpp"
#include "maps/map_file.hpp"
#include "support/error_of.hpp"
#include "support/map_samples.hpp"
#include "support/temporary_folder.hpp"

/// For the address sanitizer's leak checker: HDF5 does not free all it has when it gives a damaged file up.
extern "C" const char* __lsan_default_suppressions();  // NOLINT: the checker's name for it
extern "C" const char* __lsan_default_suppressions() {
  return "leak:libhdf5\n";
}

using namespace ionwell;
using namespace ionwell::test;

namespace {

/// What reading `bytes` under a name says, without the folder.
std::string error_reading(const std::string& name, const std::string& bytes) {
  const TemporaryFolder folder;
  write_text(folder / name, bytes);
  std::string message = error_of([&] { read_map(folder / name, 2); });
  if (message.starts_with(folder / name)) message.erase(0, folder.path().size() + 1);
  return message;
}

/// A .cmap of one data set that `set_up` arranges; only its first value is written.
template <typename SetUp>
void write_hdf5_set(const std::string& path, const std::array<hsize_t, 3>& size, const SetUp& set_up) {
  const Hdf5Quiet quiet;
  const Hdf5Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
  set_attribute(file, "step", std::vector<double>{1, 1, 1});
  const std::array<hsize_t, 3> most = {H5S_UNLIMITED, H5S_UNLIMITED, H5S_UNLIMITED};
  const Hdf5Handle settings(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  set_up(settings);
  const bool grows = H5Pget_layout(settings) == H5D_CHUNKED;
  const Hdf5Handle space(H5Screate_simple(3, size.data(), grows ? most.data() : nullptr), H5Sclose);
  const Hdf5Handle set(H5Dcreate2(file, "data", H5T_IEEE_F32LE, space, H5P_DEFAULT, settings, H5P_DEFAULT),
                       H5Dclose);
  REQUIRE(set.valid());
}

const std::string again = "copy the file again, or check the program that wrote it";

}  // namespace

TEST_CASE("maps: broken OpenDX files have one clear message") {
  const std::string good = small_dx("1 2 3 4\n");
  CHECK(error_reading("a.dx", small_dx("1 2 3\n")) == "a.dx: ends after 3 of 4 values; " + again);
  CHECK(error_reading("a.dx", small_dx("1 2\nattribute \"dep\"\n")) ==
        "a.dx:9: only 2 of 4 values are there; " + again);
  CHECK(error_reading("a.dx", small_dx("1 2\n3 x4\n")) ==
        "a.dx:9: value 4 of 4 is 'x4', which is not a number; " + again);
  CHECK(error_reading("a.dx", small_dx("1 2 3 4 5\n")) ==
        "a.dx: more than 4 values follow the header, which announces that many; " + again);
  CHECK(error_reading("a.dx", small_dx("1 nan 3 4\n")) ==
        "a.dx: the value at point (0, 0, 1), at (0.000, 0.000, 1.000) A is nan, which is not a potential; "
        "make the map again, or repair the value");
  CHECK(error_reading("a.dx", small_dx("1 2 1e999 4\n"))
            .find("point (1, 0, 0), at (1.000, 0.000, 0.000) A is inf") != std::string::npos);
  CHECK(error_reading("a.dx", replaced(good, "items 4", "items 5")) ==
        "a.dx:7: the file names 5 values for 2 x 1 x 2 = 4 points; " + again);
  CHECK(error_reading("a.dx", replaced(good, "gridconnections counts 2 1 2", "gridconnections counts 2 2 2"))
            .find("a.dx:7: gridconnections has other counts than gridpositions (2 2 2 and 2 1 2); ") == 0);
  CHECK(error_reading("a.dx", replaced(good, "delta 0 1 0", "delta 0.1 1 0"))
            .find("a.dx:4: delta 2 is (0.1, 1, 0), but maps must have axes along x, y and z") == 0);
  CHECK(error_reading("a.dx", "# temperature: 0 K\n" + good) ==
        "a.dx: states a temperature of 0 K, but it must be from 1 to 10000 K; correct that, or make the map "
        "again");
  CHECK(error_reading("a.dx", replaced(good, "delta 0 1 0", "delta 0 -1 0"))
            .find("a.dx: the spacing along the axes is 1, -1, 1 A, but must be greater than 0") == 0);
  CHECK(error_reading("a.dx", replaced(good, "delta 0 1 0\n", ""))
            .find("a.dx:6: there are 2 delta lines before the values") == 0);
  CHECK(error_reading("a.dx", replaced(good, "counts 2 1 2", "counts 2 1 two")) ==
        "a.dx:1: the number of points along z is 'two', which is not a whole number; " + again);
  const std::string huge =
      replaced(replaced(good, "counts 2 1 2", "counts 1048576 1048576 1"), "items 4", "items 1099511627776");
  CHECK(error_reading("a.dx", replaced(huge, "counts 2 1 2", "counts 1048576 1048576 1")) ==
        "a.dx: 1,099,511,627,776 values is not possible in the 8 bytes left; " + again);
  CHECK(error_reading("a.dx", replaced(good, "counts 2 1 2", "counts 9000000000 9000000000 9"))
            .find("is larger than can be read (2^40 points)") != std::string::npos);
  CHECK(error_reading("a.dx", good.substr(0, 100)) ==
        "a.dx: ends before its values ('data follows' is missing); " + again);
  CHECK(error_reading("a.dx", replaced(good, "rank 0", "rank 1 shape 3"))
            .find("a.dx:7: the values are vectors") == 0);
  CHECK(error_reading("a.dx", replaced(good, "data follows", "binary data follows")) ==
        "a.dx: 8 bytes follow the header, but 4 values take 16 in single or 32 in double precision; " +
            again);
  CHECK(error_reading("a.txt", "hello\n").find("a.txt: is not a map in a known format,") == 0);
}

TEST_CASE("maps: a compressed file that unpacks to no end is refused with bounded memory") {
  const std::string bomb = gzip(small_dx(std::string(100 << 20, ' ')));
  CHECK(bomb.size() < (1 << 20));
  const std::string message = error_reading("a.dx.gz", bomb);
  CHECK(message.find("a.dx.gz: decompresses to more than 1,0") == 0);
  const std::string packed = gzip(small_dx("1 2 3 4\n"));
  CHECK(error_reading("a.dx.gz", packed.substr(0, packed.size() - 9)) ==
        "a.dx.gz: ends in the middle of its gzip data; copy the file again");
}

TEST_CASE("maps: a file that promises more than it can hold, or asks for memory that the map does not need") {
  const std::string many =
      replaced(replaced(small_dx(std::string(1 << 20, ' ')), "items 4", "items 1099511627776"),
               "positions counts 2 1 2", "positions counts 1048576 1048576 1");
  const std::string promise =
      gzip(replaced(many, "connections counts 2 1 2", "connections counts 1048576 1048576 1"));
  CHECK(error_reading("a.dx.gz", promise).find("a.dx.gz: 1,099,511,627,776 values cannot be in ") == 0);

  const TemporaryFolder folder;
  write_hdf5_set(folder / "far.h5", {1 << 12, 1 << 12, 1 << 12},
                 [](hid_t settings) { H5Pset_external(settings, "/dev/zero", 0, hsize_t{1} << 38); });
  CHECK(error_of([&] { read_map(folder / "far.h5"); }).find(": the values are in another file, ") !=
        std::string::npos);
  write_hdf5_set(folder / "chunk.h5", {2, 2, 2}, [](hid_t settings) {
    const hsize_t chunk[] = {1024, 512, 512};
    H5Pset_chunk(settings, 3, chunk);
    H5Pset_deflate(settings, 1);
  });
  CHECK(error_of([&] {
          read_map(folder / "chunk.h5");
        }).find(": chunks of 2.68435e+08 values for a map of 8 ") != std::string::npos);
  write_hdf5_set(folder / "empty.h5", {1 << 12, 1 << 12, 1 << 12}, [](hid_t settings) {
    const hsize_t chunk[] = {64, 64, 64};
    H5Pset_chunk(settings, 3, chunk);
  });
  CHECK(error_of([&] {
          read_map(folder / "empty.h5");
        }).find(": 0 bytes cannot hold the 68,719,476,736 values") != std::string::npos);
}

TEST_CASE("maps: a comment's geometry does not overrule the format's fields, however small they are") {
  const TemporaryFolder folder;
  struct Changed {
    std::string name, from, to;
  };
  for (const Changed& c : {Changed{"a.grd", " h 1e-06 ", " h -1e-6 "},
                           {"a.grd", " h 1e-06 ", " h 0     "},
                           {"a.cube", "; spacing 9", "; spacing -9"},
                           {"a.ccp4", "spacing 9", "spacing -"}}) {
    CAPTURE(c.to);
    write(folder / c.name, sample({2, 2, 2}, {1e-6, 1e-6, 1e-6}));
    write_text(folder / c.name, replaced(read_text(folder / c.name), c.from, c.to));
    CHECK(read_map(folder / c.name).lattice.spacing_A.x == doctest::Approx(1e-6).epsilon(1e-3));
  }
}

TEST_CASE("maps: an HDF5 file with a changed byte is refused, or is the same map") {
  const TemporaryFolder folder;
  const Sample map = sample({5, 6, 7});
  write(folder / "a.h5", map);
  const std::string bytes = read_text(folder / "a.h5");
  int refused = 0;
  for (std::size_t at = 0; at < bytes.size(); at += 7) {
    CAPTURE(at);
    std::string changed = bytes;
    changed[at] = char(~changed[at]);
    write_text(folder / "b.h5", changed);
    try {
      const Map found = read_map(folder / "b.h5", 1);
      CHECK(found.lattice == map.header.lattice);
      CHECK(found.unit == map.header.unit);
      CHECK(found.provenance == map.header.provenance);
    } catch (const Error& error) {
      CHECK(std::string(error.what()).starts_with(folder / "b.h5: "));
      ++refused;
    }
  }
  CHECK(refused > 300);
}

TEST_CASE("maps: cut and contradictory files of the other formats are refused") {
  const TemporaryFolder folder;
  const Sample map = sample({6, 7, 8}, {0.5, 0.5, 0.5});
  for (const Format& format : formats()) {
    const std::string name = "a" + format.ending;
    CAPTURE(name);
    write(folder / name, map);
    const std::string bytes = read_text(folder / name);
    for (const double part : {0.01, 0.3, 0.6, 0.9}) {
      CAPTURE(part);
      const std::string message =
          error_reading(name, bytes.substr(0, std::size_t(double(bytes.size()) * part)));
      CHECK(message.find(name) == 0);
      CHECK(message.find('\n') == std::string::npos);
    }
  }
  write(folder / "a.grd", map);
  const std::string grd = read_text(folder / "a.grd");
  CHECK(error_reading("a.grd", replaced(grd, "\n      2      6      7\n", "\n      2      6      8\n"))
            .find("a.grd: plane 2 begins with '2 6 8' instead of '2 6 7'") == 0);
  CHECK(error_reading("a.grd", grd + " 1.0\n").find("a.grd: continues after the 336 values") == 0);
  CHECK(error_reading("a.grd", replaced(grd, "      6      7      8", "      6      x      8"))
            .find("a.grd:3: '      x' is not a whole number") == 0);
  write(folder / "a.cube", map);
  const std::string cube = read_text(folder / "a.cube");
  CHECK(error_reading("a.cube", replaced(cube, "    7     0.000000000000", "    7     0.500000000000"))
            .find("a.cube:5: step 2 is (0.5, ") == 0);
  CHECK(
      error_reading("a.cube", replaced(cube, "\n    1 ", "\n   -3 ")).find("a.cube:3: the number of atoms") ==
      0);
  write(folder / "a.ccp4", map);
  std::string ccp4 = read_text(folder / "a.ccp4");
  const float skew = 60.0F;
  std::memcpy(ccp4.data() + 4 * 15, &skew, 4);
  CHECK(error_reading("a.ccp4", ccp4).find("a.ccp4: the cell has an angle of 60 degrees") == 0);
  ccp4[12] = 4;
  CHECK(error_reading("a.ccp4", ccp4).find("a.ccp4: the cell has") == 0);
  const Sample uneven = sample({3, 3, 3});
  CHECK(error_of([&] {
          write(folder / "b.grd", uneven);
        }).find("the UHBD format has one spacing for all axes, but this map has 0.5, 0.25 and 0.333333 A") !=
        std::string::npos);
}
