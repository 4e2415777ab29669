// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "electrostatics/poisson_boltzmann/model/ball.hpp"
#include "electrostatics/poisson_boltzmann/model/points_around.hpp"
#include "electrostatics/poisson_boltzmann/model/simd/surface_kernels.hpp"
#include "electrostatics/poisson_boltzmann/pb_system.hpp"

namespace ionwell {

/// Positions in a row along each axis, small enough for a processor's cache: a part of a lattice, or of one
/// that lies between its points. Positions are in fp32 from the first one's, x fastest.
struct SampleTile {
  Vec3<double> origin_A;  // the first position
  Vec3<float> spacing_A;
  Vec3<int> counts;

  /// The points `range` of a lattice, moved by `shift` spacings by axis.
  SampleTile(const LatticeGeometry& lattice, const PointBox& range, const Vec3<double>& shift)
      : origin_A(lattice.origin_A + Vec3<double>{lattice.spacing_A.x * (double(range.low.x) + shift.x),
                                                 lattice.spacing_A.y * (double(range.low.y) + shift.y),
                                                 lattice.spacing_A.z * (double(range.low.z) + shift.z)}),
        spacing_A{float(lattice.spacing_A.x), float(lattice.spacing_A.y), float(lattice.spacing_A.z)},
        counts{int(counts_of(range).x), int(counts_of(range).y), int(counts_of(range).z)} {}

  int size() const { return counts.x * counts.y * counts.z; }
  int index(int i, int j, int k) const { return i + counts.x * (j + counts.y * k); }
  Vec3<float> position_A(int i, int j, int k) const {
    return {spacing_A.x * float(i), spacing_A.y * float(j), spacing_A.z * float(k)};
  }
  Vec3<float> local_A(const Vec3<double>& position) const {
    const Vec3<double> r = position - origin_A;
    return {float(r.x), float(r.y), float(r.z)};
  }
  Box box() const {
    return {origin_A, origin_A + Vec3<double>{double(spacing_A.x) * (counts.x - 1),
                                              double(spacing_A.y) * (counts.y - 1),
                                              double(spacing_A.z) * (counts.z - 1)}};
  }

  /// Calls row(first, i, last, y, z) for each row of positions within `radius_A` of `centre_A`, where `first`
  /// is the index of the row's position 0, i to last are those within, and y and z its place.
  template <typename Row>
  void rows_within(const Vec3<float>& centre_A, float radius_A, const Row& row) const {
    const auto [j0, j1] = along(centre_A.y, radius_A, spacing_A.y, counts.y);
    const auto [k0, k1] = along(centre_A.z, radius_A, spacing_A.z, counts.z);
    const float radius2 = radius_A * radius_A;
    for (int k = k0; k <= k1; ++k) {
      const float z = spacing_A.z * float(k), left = radius2 - (z - centre_A.z) * (z - centre_A.z);
      for (int j = j0; j <= j1; ++j) {
        const float y = spacing_A.y * float(j), chord2 = left - (y - centre_A.y) * (y - centre_A.y);
        if (!(chord2 > 0.0f)) continue;
        const auto [i0, i1] = along(centre_A.x, std::sqrt(chord2), spacing_A.x, counts.x);
        if (i0 <= i1) row(index(0, j, k), i0, i1, y, z);
      }
    }
  }

  /// The samples of a box around that ball; first > last along an axis where there are none.
  SampleBox box_around(const AroundPart& ball) const {
    const auto [i0, i1] = along(ball.x, ball.radius, spacing_A.x, counts.x);
    const auto [j0, j1] = along(ball.y, ball.radius, spacing_A.y, counts.y);
    const auto [k0, k1] = along(ball.z, ball.radius, spacing_A.z, counts.z);
    return {spacing_A.x, spacing_A.y, spacing_A.z, i0, i1, j0, j1, k0, k1, counts.x, counts.x * counts.y};
  }

 private:
  struct Span {
    int first, last;
  };

  /// Without std::ceil and std::floor: processors that every program must run on have no instruction for
  /// them.
  static Span along(float centre_A, float radius_A, float spacing_A, int count) {
    const float low = (centre_A - radius_A) / spacing_A, high = (centre_A + radius_A) / spacing_A;
    int first = 0, last = count - 1;
    if (low > 0.0f) {
      first = low < float(count) ? int(low) : count;
      first += int(float(first) < low && first < count);
    }
    if (high < float(last)) last = high >= 0.0f ? int(high) : -1;
    return {first, last};
  }
};

/// Cuts `range` into ranges of at most so many points as tiles of samples have, x fastest. A tile's place
/// does not depend on where `range` begins.
inline std::vector<PointBox> tiles_of(const PointBox& range) {
  constexpr Vec3<std::int64_t> edge{66, 24, 24};  // with two values of four bytes, 300 KB
  std::vector<PointBox> tiles;
  if (is_empty(range)) return tiles;
  for (std::int64_t k = range.low.z / edge.z; k <= range.high.z / edge.z; ++k)
    for (std::int64_t j = range.low.y / edge.y; j <= range.high.y / edge.y; ++j)
      for (std::int64_t i = range.low.x / edge.x; i <= range.high.x / edge.x; ++i)
        tiles.push_back(
            common_points(range, {{i * edge.x, j * edge.y, k * edge.z},
                                  {(i + 1) * edge.x - 1, (j + 1) * edge.y - 1, (k + 1) * edge.z - 1}}));
  return tiles;
}

/// Those of the tiles of `range` that have some of these planes.
inline std::vector<PointBox> tiles_with(const PbCoefficients& planes, const PointBox& range) {
  std::vector<PointBox> tiles = tiles_of(range);
  std::erase_if(tiles, [&](const PointBox& tile) {
    return tile.high.z < planes.first_plane || tile.low.z >= planes.first_plane + planes.planes;
  });
  return tiles;
}

}  // namespace ionwell
