// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/large_array.hpp"
#include "core/lattice.hpp"
#include "meshes/point_set.hpp"

namespace ionwell {

/// Values on a body-centred cubic lattice: `corners` at the points of `lattice`, `centres` half a spacing
/// along each axis from them; i fastest. Positive inside; nothing is inside at the outermost points.
struct BodyCentredValues {
  LatticeGeometry lattice;
  LargeArray<float> corners, centres;
};

/// The surface where the values are zero, of triangles in the lattice's tetrahedra (two neighbouring centres
/// and an edge of the face between them, which are all alike and nearly regular), linear along their edges.
/// Closed: each edge of a triangle belongs to two; anticlockwise as seen from where values are not positive.
/// A point keeps a share of an edge's length from its ends, so that no triangle is degenerate. The same for
/// any number of threads. Throws Error for more than 2^32 points, and because of lack of memory. `path` is
/// for messages.
PointSet marching_tetrahedra(const BodyCentredValues& values, const std::string& path, int threads);

}  // namespace ionwell
