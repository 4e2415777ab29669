// SPDX-License-Identifier: BSD-3-Clause
#include "maps/uhbd_map.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>

#include "core/error.hpp"
#include "core/text/count_text.hpp"
#include "core/text/lines.hpp"
#include "core/text/numbers.hpp"
#include "files/number_text.hpp"
#include "files/text_values.hpp"
#include "maps/map_header.hpp"
#include "maps/map_slabs.hpp"
#include "parallel/thread_count.hpp"

namespace ionwell {
namespace {

constexpr std::size_t title_columns = 72;

/// Shortest text that gives the same double.
std::string short_text(double value) {
  char text[32];
  const auto [end, error] = std::to_chars(text, text + sizeof text, value);
  return {text, end};
}

/// "POTENTIAL (kT/e) T 310 h 0.5 o -10.25 3 4.5", without the geometry where there is no room for all its
/// digits.
std::string title(const MapHeader& header) {
  std::string text = "POTENTIAL";
  if (header.unit) text.append(" (").append(to_string(*header.unit)) += ')';
  if (header.unit == MapUnit::kT_e && header.temperature_K)
    text.append(" T ").append(short_text(*header.temperature_K));
  const LatticeGeometry& lattice = header.lattice;
  const std::string geometry = " h " + short_text(lattice.spacing_A.x) + " o " +
                               short_text(lattice.origin_A.x) + ' ' + short_text(lattice.origin_A.y) + ' ' +
                               short_text(lattice.origin_A.z);
  if (text.size() + geometry.size() <= title_columns) text += geometry;
  return text;
}

/// Takes the geometry from a title as above when it agrees with the fields, which have six digits.
void read_title(std::string_view line, UhbdHeader& header) {
  read_header_line(line, header);
  header.provenance.clear();
  if (const std::size_t mark = line.find(" T "); trim(line).starts_with("POTENTIAL") && mark != line.npos) {
    std::string_view after = line.substr(mark + 3);
    header.temperature_K = parse_number(take_token(after));
  }
  const std::size_t at = line.rfind(" h ");
  std::string_view rest = at == line.npos ? std::string_view{} : line.substr(at + 3);
  std::array<double, 4> g{};
  for (double& number : g) {
    if (&number == &g[1] && take_token(rest) != "o") rest = {};
    const auto value = parse_number(take_token(rest));
    if (!value) {
      if (!trim(line).starts_with("POTENTIAL")) header.provenance.emplace_back("comment", trim(line));
      return;
    }
    number = *value;
  }
  LatticeGeometry& lattice = header.lattice;
  const auto near = [](double a, double b) { return std::abs(a - b) <= 1e-5 * (std::abs(b) + 1.0); };
  const Vec3<double>& o = lattice.origin_A;
  if (!(g[0] > 0.0) || !near(g[0], lattice.spacing_A.x) || !near(g[1], o.x) || !near(g[2], o.y) ||
      !near(g[3], o.z))
    return;
  lattice.spacing_A = {g[0], g[0], g[0]};
  lattice.origin_A = {g[1], g[2], g[3]};
}

std::int64_t integer_field(std::string_view field, std::int64_t line, const std::string& path) {
  const auto value = parse_integer(trim(field));
  if (!value)
    fail(path, ':', line, ": ", quote(field),
         " is not a whole number where UHBD has the numbers of points (columns 1 to 21); ", copy_again);
  return *value;
}

double real_field(std::string_view field, std::int64_t line, const std::string& path) {
  const auto value = parse_number(trim(field));
  if (!value)
    fail(path, ':', line, ": ", quote(field),
         " is not a number where UHBD has spacing and origin (columns 22 to 69); ", copy_again);
  return *value;
}

}  // namespace

void write_uhbd(OutputFile& file, const MapHeader& header, const MapValues& values, int threads,
                const MapProgress& progress) {
  const LatticeGeometry& lattice = header.lattice;
  check_writable_values(lattice, values, file.path());
  const auto& [h, hy, hz] = lattice.spacing_A;
  if (std::abs(hy - h) > 1e-6 * h || std::abs(hz - h) > 1e-6 * h)
    fail("cannot write ", file.path(), ": the UHBD format has one spacing for all axes, but this map has ", h,
         ", ", hy, " and ", hz, " A; write another format, for example .dx");
  const auto& [nx, ny, nz] = lattice.counts;
  constexpr std::int64_t most = 9'999'999;  // seven columns
  if (nx > most || ny > most || nz > most)
    fail("cannot write ", file.path(),
         ": the UHBD format has room for 9,999,999 points along an axis; write .dx or .h5");
  char text[512];
  std::snprintf(text, sizeof text,
                "%72s\n%12.5e%12.5e%7d%7d%7d%7d%7d\n%7d%7d%7d%12.5e%12.5e%12.5e%12.5e\n"
                "%12.5e%12.5e%12.5e%12.5e\n%12.5e%12.5e%7d%7d\n",
                title(header).c_str(), 1.0, 0.0, -1, 0, int(nz), 1, int(nz), int(nx), int(ny), int(nz), h,
                lattice.origin_A.x - h, lattice.origin_A.y - h, lattice.origin_A.z - h, 0.0, 0.0, 0.0, 0.0,
                0.0, 0.0, 0, 0);
  file.write(text);
  TextRows rows{.run = nx * ny};
  rows.number = [](std::string& to, double value) {
    char number[32];
    to.append(number, std::size_t(std::snprintf(number, sizeof number, " %12.5e", value)));
  };
  rows.before = [&lattice](std::int64_t plane) {
    char line[64];
    std::snprintf(line, sizeof line, "%7d%7d%7d\n", int(plane + 1), int(lattice.counts.x),
                  int(lattice.counts.y));
    return std::string(line);
  };
  const auto write_planes = [&](std::int64_t first_plane, const MapValues& in_memory) {
    in_memory.visit([&](const auto& all) {
      write_rows(
          file, rows, first_plane, std::ssize(all),
          [&](std::int64_t first, std::int64_t count, double* to) {
            for (std::int64_t n = 0; n < count; ++n) to[n] = double(all[std::size_t(first + n)]);
          },
          thread_count(threads));
      if (progress) progress(double(first_plane + std::ssize(all) / rows.run) / double(lattice.counts.z));
    });
  };
  for_each_z_slab(lattice, values, z_planes_at_a_time(lattice), file.path(), write_planes);
}

UhbdHeader read_uhbd_header(std::string_view file, const std::string& path) {
  UhbdHeader header;
  std::array<std::string_view, 5> lines;
  std::size_t at = 0;
  for (std::string_view& line : lines) {
    const std::size_t end = file.find('\n', at);
    if (end == file.npos) fail(path, ": ends within the five header lines of a UHBD grid; ", copy_again);
    line = file.substr(at, end - at);
    if (line.ends_with('\r')) line.remove_suffix(1);
    at = end + 1;
  }
  const std::string_view line = lines[2];
  LatticeGeometry& lattice = header.lattice;
  lattice.counts = {integer_field(columns(line, 0, 7), 3, path), integer_field(columns(line, 7, 7), 3, path),
                    integer_field(columns(line, 14, 7), 3, path)};
  const double h = real_field(columns(line, 21, 12), 3, path);
  lattice.spacing_A = {h, h, h};
  lattice.origin_A = {real_field(columns(line, 33, 12), 3, path) + h,
                      real_field(columns(line, 45, 12), 3, path) + h,
                      real_field(columns(line, 57, 12), 3, path) + h};
  check_geometry(lattice, path);
  read_title(lines[0], header);
  header.data = at;
  return header;
}

Map read_uhbd(std::string_view file, const std::string& path, int threads) {
  const UhbdHeader header = read_uhbd_header(file, path);
  const auto& [nx, ny, nz] = header.lattice.counts;
  constexpr std::int64_t plane_words = 3;  // number of the plane, nx, ny: before its values
  const std::int64_t plane = nx * ny, run = plane + plane_words;
  const Numbers numbers =
      parse_numbers(file.substr(header.data), run * nz, thread_count(threads), {path, file, copy_again});
  Map map;
  static_cast<MapHeader&>(map) = header;
  map.path = path;
  map.format = "UHBD grid";
  map.values = LargeArray<double>(std::size_t(plane * nz));
  for (std::int64_t k = 0; k < nz; ++k) {
    const double* const words = numbers.values.data() + k * run;
    if (words[0] != double(k + 1) || words[1] != double(nx) || words[2] != double(ny))
      fail(path, ": plane ", k + 1, " begins with '", words[0], ' ', words[1], ' ', words[2],
           "' instead of '", k + 1, ' ', nx, ' ', ny,
           "', so there are too few or too many values before it; ", copy_again);
    std::copy_n(words + plane_words, plane, map.values.data() + k * plane);
  }
  const std::size_t rest = file.find_first_not_of(" \t\r\n", header.data + numbers.end);
  if (rest != file.npos)
    fail(path, ": continues after the ", count_of(plane * nz, "value"), " that its header announces; ",
         copy_again);
  check_finite(map);
  return map;
}

}  // namespace ionwell
