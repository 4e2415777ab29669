// SPDX-License-Identifier: BSD-3-Clause
#include "maps/map_header.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

#include "core/error.hpp"
#include "core/text/count_text.hpp"
#include "core/text/lines.hpp"
#include "core/text/numbers.hpp"
#include "core/text/quoting.hpp"
#include "core/version.hpp"
#include "parallel/parallel_for.hpp"
#include "parallel/thread_count.hpp"

namespace ionwell {
namespace {

constexpr std::string_view first_line = "Electrostatic potential", first_line_without_unit = "Map";
constexpr std::array<std::string_view, 4> keys = {"program", "command", "structure", "method"};

/// The first point whose value is not finite in single precision, i fastest; the number of points when all
/// are. Larger ones than that are no potential either.
template <typename Real>
std::int64_t first_not_finite(std::span<const Real> values) {
  constexpr Real largest = std::numeric_limits<float>::max();
  const std::int64_t count = std::ssize(values);
  return parallel_reduce(
      thread_count(0), count, count,
      [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t p = first; p < last; ++p)
          if (!(std::abs(values[std::size_t(p)]) <= largest)) return p;
        return count;
      },
      [](std::int64_t a, std::int64_t b) { return std::min(a, b); });
}

std::string point_text(const LatticeGeometry& lattice, std::int64_t index) {
  const Vec3<std::int64_t> p = lattice.point(index);
  const Vec3<double> at = lattice.position_A(index);
  char text[160];
  std::snprintf(text, sizeof text, "point (%lld, %lld, %lld), at (%.3f, %.3f, %.3f) A",
                static_cast<long long>(p.x), static_cast<long long>(p.y), static_cast<long long>(p.z), at.x,
                at.y, at.z);
  return text;
}

[[noreturn]] void fail_not_finite(const LatticeGeometry& lattice, std::int64_t index,
                                  const std::string& path) {
  fail(path, ": the potential at ", point_text(lattice, index),
       " is not finite, which programs that read maps do not accept; please report this");
}

bool take(std::string_view& line, std::string_view start) {
  if (!line.starts_with(start)) return false;
  line.remove_prefix(start.size());
  return true;
}

/// Whether three numbers follow, and nothing else.
bool read_three(std::string_view text, Vec3<double>& v) {
  std::array<double, 3> numbers{};
  for (double& number : numbers) {
    const auto value = parse_number(take_token(text));
    if (!value) return false;
    number = *value;
  }
  v = {numbers[0], numbers[1], numbers[2]};
  return trim(text).empty();
}

/// Of "(kT/e, T=300K)", as VMD's PME plugin writes it.
std::optional<double> temperature_behind_unit(std::string_view line) {
  std::string text(line);
  std::erase(text, ' ');
  const std::size_t begin = text.find(",T="), end = text.find("K)", begin);
  if (begin == text.npos || end == text.npos) return std::nullopt;
  return parse_number(std::string_view(text).substr(begin + 3, end - begin - 3));
}

bool near(const Vec3<double>& a, const Vec3<double>& b, double tolerance_A) {
  return std::abs(a.x - b.x) <= tolerance_A && std::abs(a.y - b.y) <= tolerance_A &&
         std::abs(a.z - b.z) <= tolerance_A;
}

}  // namespace

std::string exact_text(double value) {
  char text[40];
  std::snprintf(text, sizeof text, "%.9e", value);
  if (parse_number(text) != value) std::snprintf(text, sizeof text, "%.16e", value);
  return text;
}

std::vector<std::string> header_lines(const MapHeader& header) {
  std::vector<std::string> lines;
  const std::string by = std::string(" by ionwell ") + version();
  if (header.unit)
    lines.push_back(std::string(first_line) + " (" + std::string(to_string(*header.unit)) + ')' + by);
  else
    lines.push_back(std::string(first_line_without_unit) + by);
  if (header.temperature_K) {
    char text[64];
    std::snprintf(text, sizeof text, "temperature: %.10g K", *header.temperature_K);
    lines.push_back(text);
  }
  for (const auto& [key, value] : header.provenance) {
    std::string line = key == "comment" ? "" : key + ": ";
    line += value;
    std::replace_if(
        line.begin(), line.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
    lines.push_back(one_line(line));
  }
  return lines;
}

std::vector<std::string> geometry_lines(const LatticeGeometry& lattice) {
  const auto line = [](const char* name, const Vec3<double>& v) {
    char text[120];
    std::snprintf(text, sizeof text, "%s %.17g %.17g %.17g", name, v.x, v.y, v.z);
    return std::string(text);
  };
  return {line("origin", lattice.origin_A), line("spacing", lattice.spacing_A)};
}

void read_header_line(std::string_view comment, MapHeader& header) {
  const std::string_view line = trim(comment);
  if (line.empty()) return;
  if (!header.unit) {
    header.unit = find_map_unit(line);
    if (header.unit && !header.temperature_K) header.temperature_K = temperature_behind_unit(line);
  }
  if (line.find(" by ionwell ") != line.npos &&
      (line.starts_with(first_line) || line.starts_with(first_line_without_unit)))
    return;
  std::string_view rest = line;
  if (take(rest, "temperature: ")) {
    header.temperature_K = parse_number(take_token(rest));
    return;
  }
  for (const std::string_view key : keys) {
    rest = line;
    if (!take(rest, std::string(key) + ": ")) continue;
    header.provenance.emplace_back(key, rest);
    return;
  }
  header.provenance.emplace_back("comment", line);
}

void read_geometry_line(std::string_view line, double tolerance_A, LatticeGeometry& lattice) {
  Vec3<double> read;
  if (take(line, "origin ") && read_three(line, read) && near(read, lattice.origin_A, tolerance_A))
    lattice.origin_A = read;
  else if (take(line, "spacing ") && read_three(line, read) && read.x > 0.0 && read.y > 0.0 && read.z > 0.0 &&
           near(read, lattice.spacing_A, tolerance_A))
    lattice.spacing_A = read;
}

void check_geometry(const LatticeGeometry& lattice, const std::string& path) {
  const auto& [nx, ny, nz] = lattice.counts;
  constexpr double most = 0x1p40;
  if (nx < 1 || ny < 1 || nz < 1)
    fail(path, ": a map of ", nx, " x ", ny, " x ", nz,
         " points has none; check the program that wrote it, or copy the file again");
  if (double(nx) * double(ny) * double(nz) > most)
    fail(path, ": a map of ", nx, " x ", ny, " x ", nz,
         " points is larger than can be read (2^40 points); its header is damaged, copy the file again");
  const auto& [hx, hy, hz] = lattice.spacing_A;
  for (const double h : {hx, hy, hz})
    if (!(h > 0.0 && std::isfinite(h)))
      fail(path, ": the spacing along the axes is ", hx, ", ", hy, ", ", hz,
           " A, but must be greater than 0; check the program that wrote the map");
  for (const double x : {lattice.origin_A.x, lattice.origin_A.y, lattice.origin_A.z})
    if (!std::isfinite(x)) fail(path, ": the origin is not finite; check the program that wrote the map");
}

void check_finite(const Map& map) {
  const std::int64_t bad = first_not_finite(map.all());
  if (bad == std::int64_t(map.values.size())) return;
  fail(map.path, ": the value at ", point_text(map.lattice, bad), " is ", map.values[std::size_t(bad)],
       ", which is not a potential; make the map again, or repair the value");
}

void check_writable_values(const LatticeGeometry& lattice, const MapValues& values, const std::string& path) {
  if (std::int64_t(values.size()) != lattice.size())
    fail("a map of ", count_of(lattice.size(), "point"), " needs as many values, not ",
         grouped(std::int64_t(values.size())));
  values.visit([&](const auto& all) {
    if (const std::int64_t bad = first_not_finite(all); bad < std::ssize(all))
      fail_not_finite(lattice, bad, path);
  });
}

void check_writable_part(const LatticeGeometry& lattice, const LatticePart& part,
                         std::span<const float> values, const std::string& path) {
  const std::int64_t bad = first_not_finite(values);
  if (bad == std::ssize(values)) return;
  const auto& [nx, ny, nz] = part.counts;
  const auto& [i, j, k] = part.first;
  fail_not_finite(lattice, lattice.index(i + bad % nx, j + bad / nx % ny, k + bad / (nx * ny)), path);
}

}  // namespace ionwell
