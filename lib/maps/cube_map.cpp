// SPDX-License-Identifier: BSD-3-Clause
#include "maps/cube_map.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "core/error.hpp"
#include "core/text/count_text.hpp"
#include "core/text/lines.hpp"
#include "core/text/numbers.hpp"
#include "core/units.hpp"
#include "files/number_text.hpp"
#include "files/text_values.hpp"
#include "maps/map_header.hpp"
#include "maps/map_order.hpp"
#include "maps/map_slabs.hpp"
#include "parallel/thread_count.hpp"

namespace ionwell {
namespace {

/// Lines with their numbers, for messages.
class Lines {
 public:
  Lines(std::string_view file, const std::string& path) : file_(file), path_(path) {}
  /// From `at` on, behind `number` lines.
  Lines(std::string_view file, const std::string& path, std::size_t at, std::int64_t number)
      : file_(file), path_(path), at_(at), number_(number) {}

  std::string_view next() {
    if (at_ >= file_.size()) fail(path_, ": ends within its header, after line ", number_, "; ", copy_again);
    const std::size_t end = std::min(file_.find('\n', at_), file_.size());
    std::string_view line = file_.substr(at_, end - at_);
    if (line.ends_with('\r')) line.remove_suffix(1);
    at_ = std::min(end + 1, file_.size());
    ++number_;
    return line;
  }

  /// A whole number and three others; further words are left alone.
  std::pair<std::int64_t, Vec3<double>> count_and_vector(std::string_view what) {
    const std::string_view line = next();
    std::string_view rest = line;
    const auto count = parse_integer(take_token(rest));
    std::array<double, 3> v{};
    bool readable = count.has_value();
    for (double& number : v) {
      const auto value = parse_number(take_token(rest));
      readable = readable && value;
      number = value.value_or(0.0);
    }
    if (!readable)
      fail(path_, ':', number_, ": ", quote(line), " should be ", what,
           " of a cube file: a whole number and three "
           "others; ",
           copy_again);
    return {*count, {v[0], v[1], v[2]}};
  }

  std::size_t at() const { return at_; }
  std::int64_t number() const { return number_; }

 private:
  std::string_view file_;
  const std::string& path_;
  std::size_t at_ = 0;
  std::int64_t number_ = 0;
};

constexpr std::int64_t lines_before_atoms = 6;

/// Where the values begin.
std::size_t after_atoms(const CubeHeader& header, std::string_view file, const std::string& path) {
  Lines lines(file, path, header.atoms_begin, lines_before_atoms);
  for (std::int64_t atom = 0; atom < header.atoms; ++atom) lines.next();
  return lines.at();
}

}  // namespace

void write_cube(OutputFile& file, const MapHeader& header, const MapValues& values, int threads,
                const MapProgress& progress) {
  const LatticeGeometry& lattice = header.lattice;
  check_writable_values(lattice, values, file.path());
  std::string top, geometry;
  for (const std::string& line : header_lines(header)) top += (top.empty() ? "" : "; ") + line;
  for (const std::string& line : geometry_lines(lattice)) geometry += (geometry.empty() ? "" : "; ") + line;
  const auto row = [](std::int64_t count, const Vec3<double>& v_A) {
    char text[128];
    std::snprintf(text, sizeof text, "%5lld %18.12f %18.12f %18.12f\n", static_cast<long long>(count),
                  v_A.x / bohr_A, v_A.y / bohr_A, v_A.z / bohr_A);
    return std::string(text);
  };
  const auto& [nx, ny, nz] = lattice.counts;
  const Vec3<double> last_A = lattice.position_A(nx - 1, ny - 1, nz - 1);
  char ghost[128];
  const Vec3<double> centre = (0.5 / bohr_A) * (lattice.origin_A + last_A);
  std::snprintf(ghost, sizeof ghost, "%5d %18.12f %18.12f %18.12f %18.12f\n", 0, 0.0, centre.x, centre.y,
                centre.z);
  file.write(top + '\n' + geometry + '\n' + row(1, lattice.origin_A) + row(nx, {lattice.spacing_A.x, 0, 0}) +
             row(ny, {0, lattice.spacing_A.y, 0}) + row(nz, {0, 0, lattice.spacing_A.z}) + ghost);
  TextRows rows{.run = nz};
  rows.number = [](std::string& to, double value) {
    char number[32];
    to.append(number, std::size_t(std::snprintf(number, sizeof number, " %12.5E", value)));
  };
  threads = thread_count(threads);
  const std::int64_t plane = ny * nz, most = planes_at_a_time(lattice);
  LargeArray<double> slab(std::size_t(most * plane));
  const auto write_planes = [&](std::int64_t begin, const LatticeGeometry& there,
                                const MapValues& in_memory) {
    for (std::int64_t i = 0; i < there.counts.x; i += most) {
      const std::int64_t planes = std::min(most, there.counts.x - i);
      gather_planes(there, in_memory, i, planes, threads, slab.data());
      write_rows(
          file, rows, 0, planes * plane,
          [&](std::int64_t first, std::int64_t count, double* to) {
            std::copy_n(slab.data() + first, count, to);
          },
          threads);
      if (progress) progress(double(begin + i + planes) / double(lattice.counts.x));
    }
  };
  for_each_x_slab(lattice, values, file.path(), write_planes);
}

CubeHeader read_cube_header(std::string_view file, const std::string& path) {
  CubeHeader header;
  Lines lines(file, path);
  for (std::string_view line = lines.next(); !line.empty();) {  // header lines, joined by "; "
    const std::size_t end = std::min(line.find("; "), line.size());
    read_header_line(line.substr(0, end), header);
    line.remove_prefix(std::min(end + 2, line.size()));
  }
  const std::string_view second = lines.next();
  const auto [atoms, origin] = lines.count_and_vector("number of atoms and origin");
  if (atoms < 0)
    fail(path, ':', lines.number(),
         ": the number of atoms is negative, so the file has orbitals instead of one map; write only the "
         "potential");
  std::array<std::pair<std::int64_t, Vec3<double>>, 3> axes;
  for (auto& axis : axes) axis = lines.count_and_vector("number of points and step");
  const bool in_angstrom = axes[0].first < 0 && axes[1].first < 0 && axes[2].first < 0;
  const double unit_A = in_angstrom ? 1.0 : bohr_A;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    auto& [count, step] = axes[axis];
    if (in_angstrom) count = -count;
    const std::array<double, 3> d = {step.x, step.y, step.z};
    for (std::size_t other = 0; other < 3; ++other)
      if (other != axis && std::abs(d[other]) * unit_A * double(count) > 1e-3)
        fail(
            path, ':', lines.number() - 2 + std::int64_t(axis), ": step ", axis + 1, " is (", d[0], ", ",
            d[1], ", ", d[2],
            "), but maps must have axes along x, y and z in this order; resample it on such a lattice first");
  }
  header.lattice = {unit_A * origin,
                    unit_A * Vec3<double>{axes[0].second.x, axes[1].second.y, axes[2].second.z},
                    {axes[0].first, axes[1].first, axes[2].first}};
  check_geometry(header.lattice, path);
  const LatticeGeometry as_written = header.lattice;
  for (std::size_t at = 0; at < second.size();) {
    const std::size_t end = std::min(second.find("; ", at), second.size());
    read_geometry_line(second.substr(at, end - at), 1e-5, header.lattice);
    at = end + 2;
  }
  if (header.lattice == as_written) read_header_line(second, header);
  header.atoms = atoms;
  header.atoms_begin = lines.at();
  return header;
}

Map read_cube(std::string_view file, const std::string& path, int threads) {
  const CubeHeader header = read_cube_header(file, path);
  threads = thread_count(threads);
  const std::string_view data = file.substr(after_atoms(header, file, path));
  Numbers numbers = parse_numbers(data, header.lattice.size(), threads, {path, file, copy_again});
  if (data.find_first_not_of(" \t\r\n", numbers.end) != data.npos)
    fail(path, ": continues after the ", count_of(header.lattice.size(), "value"),
         " that its header announces; ", copy_again);
  Map map;
  static_cast<MapHeader&>(map) = header;
  map.path = path;
  map.format = "Gaussian cube";
  map.values = from_z_fastest(map.lattice, numbers.values, threads);
  check_finite(map);
  return map;
}

}  // namespace ionwell
