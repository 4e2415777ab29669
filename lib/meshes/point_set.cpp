// SPDX-License-Identifier: BSD-3-Clause
#include "meshes/point_set.hpp"

#include <cmath>

#include "core/error.hpp"
#include "structures/atom_limits.hpp"

namespace ionwell {

std::string_view to_string(PointFormat format) {
  switch (format) {
    case PointFormat::xyz:
      return "XYZ";
    case PointFormat::csv:
      return "CSV";
    case PointFormat::pdb:
      return "PDB";
    case PointFormat::pqr:
      return "PQR";
    case PointFormat::ply:
      return "PLY";
    case PointFormat::obj:
      return "OBJ";
    case PointFormat::vtk:
      return "VTK";
    case PointFormat::hdf5:
      return "HDF5";
    case PointFormat::pml:
      return "PyMOL script";
  }
  return "unknown";
}

std::vector<double> point_areas_A2(const PointSet& points) {
  if (points.triangles.empty()) return {};
  std::vector<double> areas_A2(points.positions_A.size(), 0.0);
  for (const auto& [a, b, c] : points.triangles) {
    const Vec3<double> u = points.positions_A[b] - points.positions_A[a],
                       v = points.positions_A[c] - points.positions_A[a];
    const Vec3<double> n{u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
    const double third_A2 = std::sqrt(dot(n, n)) / 6.0;
    for (const std::uint32_t point : {a, b, c}) areas_A2[point] += third_A2;
  }
  return areas_A2;
}

bool is_position(const Vec3<double>& p) {
  return std::abs(p.x) <= largest_coordinate_A && std::abs(p.y) <= largest_coordinate_A &&
         std::abs(p.z) <= largest_coordinate_A;
}

void fail_for_position(const Vec3<double>& p, const std::string& place) {
  fail(place, ": (", p.x, ", ", p.y, ", ", p.z, ") is not a position (three finite numbers of at most ",
       largest_coordinate_A, " A); correct the file");
}

}  // namespace ionwell
