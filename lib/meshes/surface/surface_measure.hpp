// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "meshes/point_set.hpp"

namespace ionwell {

struct AccessibleSurface;

/// Of a closed surface; a cavity's area adds to it, and its volume does not.
struct SurfaceMeasure {
  double area_A2 = 0.0, volume_A3 = 0.0;
};

/// Of flat triangles: less than that of a surface that curves outwards between their corners. O(triangles).
SurfaceMeasure measure_of_triangles(const PointSet& surface);

/// An estimate for the smooth surface through the triangles' corners that has these unit normals there,
/// outwards: quadratic over each triangle. A triangle is flat where a corner's normal is 0. A ball's area and
/// volume are known to a thirtieth of what the triangles lack, those of a molecule's solvent-excluded surface
/// to a third. O(triangles).
SurfaceMeasure measure_of_smooth(const PointSet& surface, std::span<const Vec3<double>> normals);

/// Of the union of balls that has this surface, whatever its creases: by directions spread evenly over each
/// ball, to 0.1 % or so. O(a million times the caps of a patch), and at least 100 directions for each patch.
SurfaceMeasure measure_of_balls(const AccessibleSurface& surface, int threads);

}  // namespace ionwell
