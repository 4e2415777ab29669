// SPDX-License-Identifier: BSD-3-Clause
#include "fuzz/point_invariants.hpp"

#include <algorithm>
#include <cstring>

#include "core/error.hpp"
#include "meshes/point_files.hpp"
#include "support/temporary_folder.hpp"

namespace ionwell::test {
namespace {

FileBytes copy_of(std::string_view bytes) {
  auto copy = std::make_unique<char[]>(bytes.size());
  std::copy(bytes.begin(), bytes.end(), copy.get());
  return {std::move(copy), bytes.size()};
}

std::string problem_of(const PointSet& points, const std::string& copy_path) {
  if (points.positions_A.empty()) return "no points, and no error";
  if (!std::all_of(points.positions_A.begin(), points.positions_A.end(), is_position)) return "no position";
  for (const Triangle& triangle : points.triangles)
    for (const std::uint32_t corner : triangle)
      if (corner >= points.positions_A.size()) return "a triangle of points that are not there";
  if (points.text != nullptr && points.text->rows.size() != points.positions_A.size())
    return "not a row for each point";
  // Written, it is read again as the same points.
  const std::vector<double> values(points.positions_A.size(), 1.5);
  OutputFile file(copy_path);
  write_points(file, points, {.potential_kT_e = values, .areas_A2 = {}, .provenance = {}});
  file.commit();
  const PointSet again = read_points(copy_path);
  if (again.positions_A.size() != points.positions_A.size()) return "written again, there are other points";
  if (again.triangles != points.triangles) return "written again, there are other triangles";
  return {};
}

}  // namespace

std::string broken_point_invariant(std::string_view bytes) {
  static const TemporaryFolder folder;
  for (const char* const name : {"a.csv", "a.xyz", "a.pdb", "a.ply", "a.obj", "a"}) {
    const std::string path = name;
    try {
      const PointSet points = read_points(copy_of(bytes), path);
      const std::string problem =
          problem_of(points, folder / (points.triangles.empty() ? "copy.csv" : "copy.vtk"));
      if (!problem.empty()) return path + ": " + problem;
    } catch (const Error& error) {
      const std::string message = error.what();
      if (!message.starts_with(path + ":") || message.find('\n') != message.npos)
        return "not one line about the file: " + message;
    }
  }
  return {};
}

}  // namespace ionwell::test
