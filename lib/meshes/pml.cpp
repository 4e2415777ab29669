// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <cstdio>

#include "meshes/mesh_files.hpp"

namespace ionwell {
namespace {

/// Of each point, from its triangles by their areas; units.
std::vector<Vec3<double>> point_normals(const PointSet& points) {
  std::vector<Vec3<double>> normals(points.positions_A.size());
  for (const Triangle& t : points.triangles) {
    const Vec3<double> u = points.positions_A[t[1]] - points.positions_A[t[0]],
                       v = points.positions_A[t[2]] - points.positions_A[t[0]];
    const Vec3<double> normal{u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
    for (const std::uint32_t p : t) normals[p] = normals[p] + normal;
  }
  for (Vec3<double>& normal : normals) {
    const double length = std::sqrt(dot(normal, normal));
    normal = length > 0.0 ? (1.0 / length) * normal : Vec3<double>{0, 0, 1};
  }
  return normals;
}

constexpr const char* pml_end =
    "'''\n"
    "rows = [[float(word) for word in line.split()] for line in points.splitlines()]\n"
    "shape = []\n"
    "if triangles:\n"
    "    shape += [cgo.BEGIN, cgo.TRIANGLES]\n"
    "    for word in triangles.split():\n"
    "        row = rows[int(word)]\n"
    "        shape += [cgo.COLOR] + row[3:6] + [cgo.NORMAL] + row[6:9] + [cgo.VERTEX] + row[0:3]\n"
    "    shape += [cgo.END]\n"
    "else:\n"
    "    for row in rows:\n"
    "        shape += [cgo.COLOR] + row[3:6] + [cgo.SPHERE] + row[0:3] + [0.4]\n"
    "cmd.load_cgo(shape, 'potential')\n"
    "python end\n";

}  // namespace

void write_pml(OutputFile& file, const ValuedMesh& mesh) {
  const PointSet& points = mesh.points;
  const std::vector<Vec3<double>> normals = point_normals(points);
  std::string out =
      "# Potential, coloured; written by ionwell. In PyMOL: load this file, or @ it.\n"
      "python\nfrom pymol import cgo, cmd\npoints = '''";
  constexpr std::size_t buffered = 1 << 20;
  const auto flush = [&] {
    if (out.size() < buffered) return;
    file.write(out);
    out.clear();
  };
  char row[256];
  for (std::size_t p = 0; p < points.positions_A.size(); ++p) {
    const Vec3<double>&at = points.positions_A[p], &n = normals[p];
    const Rgb colour = potential_colour(mesh.values_kT_e[p], mesh.limit_kT_e);
    constexpr double full = 255.0;
    std::snprintf(row, sizeof row, "%.3f %.3f %.3f %.3f %.3f %.3f %.3f %.3f %.3f\n", at.x, at.y, at.z,
                  colour.red / full, colour.green / full, colour.blue / full, n.x, n.y, n.z);
    out += row;
    flush();
  }
  out += "'''\ntriangles = '''";
  for (const Triangle& t : points.triangles) {
    out += std::to_string(t[0]) + ' ' + std::to_string(t[1]) + ' ' + std::to_string(t[2]) + '\n';
    flush();
  }
  file.write(out += pml_end);
}

}  // namespace ionwell
