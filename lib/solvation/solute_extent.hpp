// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "core/periodic_cell.hpp"
#include "solvation/cell_shape.hpp"

namespace ionwell {

/// How far points reach along each face's normal [A]; at least one point. O(points * faces).
std::vector<double> extents_A(std::span<const Vec3<double>> positions_A, std::span<const FacePair> faces);

/// The points that are farthest in some of many directions, evenly spread: all of the convex hull but what
/// sticks out of theirs by less than a thousandth of the size. 0.1 s for a million points.
std::vector<Vec3<double>> extreme_points(std::span<const Vec3<double>> positions_A);

/// The shortest distance [A] between points and their own images in a cell that repeats. Exact: every lattice
/// vector that may bring an image so near is tried, and of the points those between which it can be. Looks at
/// all pairs only where images lie within each other.
double distance_to_own_image_A(std::span<const Vec3<double>> positions_A, const PeriodicCell& cell);

}  // namespace ionwell
