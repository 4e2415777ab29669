// SPDX-License-Identifier: BSD-3-Clause
#include <doctest/doctest.h>
#include <netcdf.h>

#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>

#include "files/input_file.hpp"
#include "structures/amber/amber_netcdf.hpp"
#include "support/error_of.hpp"
#include "support/shared_data.hpp"
#include "support/temporary_folder.hpp"

using namespace ionwell;
using namespace ionwell::test;

namespace {

void check(int status) {
  if (status != NC_NOERR) throw std::runtime_error(nc_strerror(status));
}

struct Trajectory {
  int format = NC_64BIT_OFFSET;
  bool is_restart = false, has_cell = true;
  std::size_t frames = 3, atoms = 4;
  nc_type type = NC_FLOAT;
  std::string units = "angstrom", name = "coordinates";
  double scale_factor = 0.0;                            // 0: none
  double first_x = std::numeric_limits<double>::min();  // in place of the first x of frame 2
};

double coordinate(std::size_t frame, std::size_t atom, std::size_t axis) {
  return 0.5 * double(frame) - 1.25 * double(atom) + 0.125 * double(axis);
}

/// The bytes of such a file.
std::string netcdf(const Trajectory& wanted) {
  const TemporaryFolder folder;
  const std::string path = folder / "x.nc";
  int file = 0, frame = 0, atom = 0, spatial = 0, angular = 0, coordinates = 0, lengths = 0, angles = 0;
  check(nc_create(path.c_str(), wanted.format, &file));
  const std::string conventions = wanted.is_restart ? "AMBERRESTART" : "AMBER";
  check(nc_put_att_text(file, NC_GLOBAL, "Conventions", conventions.size(), conventions.c_str()));
  if (!wanted.is_restart) check(nc_def_dim(file, "frame", NC_UNLIMITED, &frame));
  check(nc_def_dim(file, "atom", wanted.atoms, &atom));
  check(nc_def_dim(file, "spatial", 3, &spatial));
  check(nc_def_dim(file, "cell_angular", 3, &angular));
  const auto define = [&](const char* name, nc_type type, std::vector<int> dimensions, int& variable) {
    if (!wanted.is_restart) dimensions.insert(dimensions.begin(), frame);
    check(nc_def_var(file, name, type, int(dimensions.size()), dimensions.data(), &variable));
  };
  define(wanted.name.c_str(), wanted.type, {atom, spatial}, coordinates);
  check(nc_put_att_text(file, coordinates, "units", wanted.units.size(), wanted.units.c_str()));
  if (wanted.scale_factor != 0.0)
    check(nc_put_att_double(file, coordinates, "scale_factor", NC_FLOAT, 1, &wanted.scale_factor));
  if (wanted.has_cell) {
    define("cell_lengths", NC_DOUBLE, {spatial}, lengths);
    define("cell_angles", NC_DOUBLE, {angular}, angles);
  }
  check(nc_enddef(file));
  for (std::size_t f = 0; f < wanted.frames; ++f) {
    std::vector<double> values;
    for (std::size_t a = 0; a < wanted.atoms; ++a)
      for (std::size_t axis = 0; axis < 3; ++axis) values.push_back(coordinate(f, a, axis));
    if (f == 1 && wanted.first_x != std::numeric_limits<double>::min()) values[0] = wanted.first_x;
    const std::size_t from[] = {f, 0, 0}, size[] = {1, wanted.atoms, 3}, row[] = {1, 3};
    const int skip = wanted.is_restart ? 1 : 0;
    check(nc_put_vara_double(file, coordinates, from + skip, size + skip, values.data()));
    if (!wanted.has_cell) continue;
    const double abc[] = {40.0 + double(f), 50.0, 60.0}, angle[] = {90.0, 100.0, 110.0};
    check(nc_put_vara_double(file, lengths, from + skip, row + skip, abc));
    check(nc_put_vara_double(file, angles, from + skip, row + skip, angle));
  }
  check(nc_close(file));
  return read_text(path);
}

std::string message_of(const std::string& bytes, std::int64_t frame = 1) {
  return error_of([&] { read_amber_netcdf(bytes, "x.nc", {frame}); });
}

void check_frame(const Coordinates& coordinates, std::size_t frame, double scale = 1.0) {
  REQUIRE(coordinates.positions_A.size() == 4);
  for (std::size_t a = 0; a < 4; ++a) {
    const Vec3<double>& p = coordinates.positions_A[a];
    CHECK(p == Vec3<double>{scale * coordinate(frame, a, 0), scale * coordinate(frame, a, 1),
                            scale * coordinate(frame, a, 2)});
  }
}

const int formats[] = {0, NC_64BIT_OFFSET, NC_64BIT_DATA, NC_NETCDF4, NC_NETCDF4 | NC_CLASSIC_MODEL};

}  // namespace

TEST_CASE("AMBER NetCDF: every frame, counted from either end, in every format of NetCDF") {
  for (const int format : formats) {
    CAPTURE(format);
    const std::string bytes = netcdf({.format = format});
    CHECK(is_amber_netcdf(bytes.substr(0, 65536)));
    for (const std::int64_t choice : {1, 2, 3, -1, -2, -3}) {
      const std::size_t frame = std::size_t(choice > 0 ? choice - 1 : choice + 3);
      const Coordinates coordinates = read_amber_netcdf(bytes, "x.nc", {choice});
      check_frame(coordinates, frame);
      CHECK(coordinates.frames == 3);
      CHECK(coordinates.warnings.empty());
      CHECK(coordinates.labels.empty());
      REQUIRE(coordinates.cell);
      CHECK(lengths_A(*coordinates.cell) == Vec3<double>{40.0 + double(frame), 50.0, 60.0});
      CHECK(angles_deg(*coordinates.cell) == Vec3<double>{90.0, 100.0, 110.0});
    }
    for (const std::int64_t choice : {0, 4, -4})
      CHECK(message_of(bytes, choice) ==
            "x.nc: frame " + std::to_string(choice) +
                " is not among its 3 frames; count frames from 1, or backwards from -1, the last");
  }
}

TEST_CASE("AMBER NetCDF: restart files have one frame, in double precision") {
  for (const int format : formats) {
    const std::string bytes = netcdf({.format = format, .is_restart = true, .frames = 1, .type = NC_DOUBLE});
    CHECK(is_amber_netcdf(bytes));
    const Coordinates coordinates = read_amber_netcdf(bytes, "x.ncrst", {-1});
    check_frame(coordinates, 0);
    CHECK(coordinates.frames == 1);
    REQUIRE(coordinates.cell);
    CHECK(angles_deg(*coordinates.cell) == Vec3<double>{90.0, 100.0, 110.0});
    CHECK(message_of(bytes, 2).starts_with("x.nc: frame 2 is not among its 1 frame;"));
  }
}

TEST_CASE("AMBER NetCDF: scale factors, and files without a cell") {
  check_frame(read_amber_netcdf(netcdf({.scale_factor = 0.5}), "x.nc"), 0, 0.5);
  CHECK_FALSE(read_amber_netcdf(netcdf({.has_cell = false}), "x.nc").cell);
  check_frame(read_amber_netcdf(netcdf({.units = "Angstroms"}), "x.nc"), 0);
}

TEST_CASE("AMBER NetCDF: what cannot be taken is said") {
  CHECK(message_of(netcdf({.units = "nanometer"})) ==
        "x.nc: its coordinates are in 'nanometer', but those of AMBER are in angstrom; write the file again "
        "with cpptraj");
  CHECK(message_of(netcdf({.name = "velocities"})) ==
        "x.nc: is a NetCDF file without coordinates, so it is not an AMBER trajectory; give one");
  CHECK(message_of(netcdf({.type = NC_INT})).starts_with("x.nc: its coordinates are not real numbers"));
  CHECK(message_of(netcdf({.format = NC_NETCDF4, .frames = 0})) ==
        "x.nc: has no complete frame of its 4 atoms; copy it again");
  CHECK(message_of(netcdf({.frames = 0})).starts_with("x.nc: "));
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 1e5}) {
    const std::string bytes = netcdf({.type = NC_DOUBLE, .first_x = bad});
    CHECK(message_of(bytes, 1) == "no error");
    CHECK(message_of(bytes, 2).starts_with("x.nc: frame 2 has atom 1 at ("));
  }
  CHECK(message_of("").starts_with("x.nc: is not a NetCDF file"));
  CHECK(message_of("CDF\x02") == "x.nc: its NetCDF header is truncated or damaged; copy it again");
  for (const char* const other :
       {"", "CDF", "CDF\x02 no convention", "CDF\x03 AMBER", "\x89HDF\r\n\x1a\n", "AMBER", "%FLAG AMBER"})
    CHECK_FALSE(is_amber_netcdf(other));
}

TEST_CASE("AMBER NetCDF: cut at any byte it is refused, or has the frames that are left") {
  const std::string bytes = netcdf({});
  std::int64_t most = 0;
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    CAPTURE(size);
    try {
      const Coordinates coordinates = read_amber_netcdf(bytes.substr(0, size), "x.nc", {-1});
      CHECK(coordinates.frames < 3);
      CHECK(coordinates.frames >= most);
      most = coordinates.frames;
      check_frame(coordinates, std::size_t(most - 1));
      CHECK(coordinates.warnings == std::vector<std::string>{"note: x.nc: announces 3 frames and holds " +
                                                             std::to_string(most) + "; these were used"});
    } catch (const Error& error) {
      CHECK(most == 0);
      CHECK(std::string(error.what()).starts_with("x.nc:"));
    }
  }
  CHECK(most == 2);
  const std::string packed = netcdf({.format = NC_NETCDF4});
  for (std::size_t size = 0; size < packed.size(); size += 101)
    CHECK(message_of(packed.substr(0, size)).starts_with("x.nc:"));
}

TEST_CASE("AMBER NetCDF: a header with a changed byte ends in a message or in numbers that atoms have") {
  const std::string bytes = netcdf({});
  int refused = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i)
    for (const unsigned char value : {0x00, 0x01, 0x7f, 0xff}) {
      std::string changed = bytes;
      changed[i] = char(value);
      CAPTURE(i);
      const std::string message = message_of(changed);
      CHECK((message == "no error" || message.starts_with("x.nc:")));
      refused += message == "no error" ? 0 : 1;
    }
  CHECK(refused > 100);
}

TEST_CASE("AMBER NetCDF: published files") {
  struct File {
    std::string name;
    std::size_t atoms;
    std::int64_t frames;
    bool has_cell;
  };
  for (const File& file : {File{"tz2.nc.gz", 223, 101, false}, File{"rGACC.full.nc.gz", 7622, 1, true}}) {
    const std::string path = shared_data("data/md/" + file.name);
    if (path.empty()) return;
    const FileBytes bytes = gunzip(read_text(path), path);
    const Coordinates coordinates = read_amber_netcdf(bytes.text(), path, {-1});
    CHECK(is_amber_netcdf(bytes.text()));
    CHECK(coordinates.positions_A.size() == file.atoms);
    CHECK(coordinates.frames == file.frames);
    CHECK(coordinates.cell.has_value() == file.has_cell);
  }
}
