// SPDX-License-Identifier: BSD-3-Clause
#include <array>
#include <charconv>

#include "core/error.hpp"
#include "core/text/lines.hpp"
#include "core/text/numbers.hpp"
#include "meshes/mesh_files.hpp"
#include "meshes/point_rows.hpp"

namespace ionwell {
namespace {

/// "7", "7/1", "7//3", "-1": the number of a point, from 0; -1 for what is none.
std::int64_t obj_corner(std::string_view token, std::size_t points) {
  const std::optional<std::int64_t> number =
      parse_integer<std::int64_t>(token.substr(0, std::min(token.find('/'), token.size())));
  if (!number || *number == 0) return -1;
  return *number > 0 ? *number - 1 : std::int64_t(points) + *number;
}

template <typename Place>
Vec3<double> obj_position(std::string_view line, const Place& place) {
  std::array<double, 3> x_A{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::string_view token = take_token(line);
    const std::optional<double> value = parse_number(token);
    if (!value)
      fail(place(), ": ", "xyz"[axis], " is ", quote(token),
           ", which is not a finite number; correct the mesh, or leave the point out");
    x_A[axis] = *value;
  }
  return {x_A[0], x_A[1], x_A[2]};
}

}  // namespace

bool is_obj(std::string_view head) {
  LineScanner lines(head);
  for (std::string_view line; lines.next(line);) {
    line = trim(line);
    if (line.empty() || line.front() == '#') continue;
    const std::string_view word = take_token(line);
    if (word == "v") return true;
    if (word != "mtllib" && word != "o" && word != "g" && word != "s" && word != "vt" && word != "vn" &&
        word != "usemtl")
      return false;
  }
  return false;
}

PointSet read_obj(std::string_view text, const std::string& path) {
  PointSet points{.path = path, .format = PointFormat::obj};
  LineScanner lines(text);
  const auto place = [&] { return path + ':' + std::to_string(lines.number()); };
  std::vector<std::int64_t> corners;
  for (std::string_view line; lines.next(line);) {
    if (!line.empty() && line.back() == '\\')
      fail(place(), ": continuation lines are not supported; save the mesh without them");
    const std::string_view word = take_token(line);
    if (word == "v") {
      if (points.positions_A.size() == points.positions_A.capacity())
        require_mesh_memory(std::int64_t(2 * points.positions_A.size()), 0, path);
      points.positions_A.push_back(obj_position(line, place));
      if (!is_position(points.positions_A.back())) fail_for_position(points.positions_A.back(), place());
    } else if (word == "f") {
      corners.clear();
      for (std::string_view token = take_token(line); !token.empty() && token.front() != '#';
           token = take_token(line)) {
        corners.push_back(obj_corner(token, points.positions_A.size()));
        if (corners.back() < 0)
          fail(place(), ": ", quote(token),
               " is not a point before this face; the file is damaged: write it again");
      }
      if (corners.size() < 3) fail(place(), ": a face has fewer than three points; write the file again");
      // Points may come behind the faces that have them.
      add_polygon(points.triangles, corners, std::size_t{1} << 32, place);
    }
  }
  if (points.positions_A.empty())
    fail(path, ": the OBJ file has no points (lines v x y z); give a file with points");
  for (const Triangle& triangle : points.triangles)
    for (const std::uint32_t corner : triangle)
      if (corner >= points.positions_A.size()) fail_for_corner(corner, points.positions_A.size(), path);
  return points;
}

void write_obj(OutputFile& file, const ValuedMesh& mesh) {
  const PointSet& points = mesh.points;
  std::string out = "# v: x y z [A] and colour; vt: potential [kT/e]; written by ionwell\n";
  constexpr std::size_t buffered = 1 << 20;
  const auto flush = [&] {
    if (out.size() < buffered) return;
    file.write(out);
    out.clear();
  };
  for (std::size_t p = 0; p < points.positions_A.size(); ++p) {
    const Vec3<double>& at = points.positions_A[p];
    const Rgb colour = potential_colour(mesh.values_kT_e[p], mesh.limit_kT_e);
    out += 'v';
    for (const double x_A : {at.x, at.y, at.z}) append_coordinate(out += ' ', x_A);
    for (const std::uint8_t part : {colour.red, colour.green, colour.blue}) {
      char number[16];
      const auto end =
          std::to_chars(number, number + sizeof number, double(part) / 255.0, std::chars_format::fixed, 3);
      out.append(1, ' ').append(number, end.ptr);
    }
    out += '\n';
    flush();
  }
  for (const double value : mesh.values_kT_e) {
    append_value(out += "vt ", value);
    out += '\n';
    flush();
  }
  for (const Triangle& triangle : points.triangles) {
    out += 'f';
    for (const std::uint32_t corner : triangle) {
      const std::string number = std::to_string(corner + std::uint64_t{1});
      out.append(1, ' ').append(number).append(1, '/').append(number);
    }
    out += '\n';
    flush();
  }
  file.write(out);
}

}  // namespace ionwell
