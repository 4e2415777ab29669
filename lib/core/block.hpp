// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <cstdint>

#include "core/block_frame.hpp"
#include "core/lattice.hpp"

namespace ionwell {

/// Lattices are cut into cubes of 8 x 8 x 8 points; one cube's values lie together in memory.
constexpr int block_edge = 8;
constexpr int block_points = block_edge * block_edge * block_edge;

/// Points of a block as bits: bit p of a block is bit p % 64 of word p / 64.
constexpr int mask_words = block_points / 64;

/// Smallest and largest distance [A] from a point to anything in a box.
struct DistanceRange {
  double nearest_A, farthest_A;
};

/// From `p` to the faces of the box; `nearest_A` is 0 inside.
IONWELL_HD inline DistanceRange distance_range(const Box& box, Vec3<double> p) {
  const auto gap = [](double lowest, double highest, double x) {
    return x < lowest ? lowest - x : (x > highest ? x - highest : 0.0);
  };
  const auto reach = [](double lowest, double highest, double x) {
    return x - lowest > highest - x ? x - lowest : highest - x;
  };
  const Vec3<double> near{gap(box.lowest_A.x, box.highest_A.x, p.x),
                          gap(box.lowest_A.y, box.highest_A.y, p.y),
                          gap(box.lowest_A.z, box.highest_A.z, p.z)};
  const Vec3<double> far{reach(box.lowest_A.x, box.highest_A.x, p.x),
                         reach(box.lowest_A.y, box.highest_A.y, p.y),
                         reach(box.lowest_A.z, box.highest_A.z, p.z)};
  return {std::sqrt(dot(near, near)), std::sqrt(dot(far, far))};
}

/// Blocks along an axis with so many points.
IONWELL_HD constexpr std::int64_t blocks_along(std::int64_t points) {
  return (points + block_edge - 1) / block_edge;
}

/// (i,j,k) of block `number`, of which there are nx and ny along x and y.
template <typename Integer>
IONWELL_HD constexpr Vec3<Integer> block_at(Integer number, Integer nx, Integer ny) {
  const Integer plane = number / nx, k = plane / ny;
  return {number - plane * nx, plane - k * ny, k};
}

/// The blocks of a lattice; those at its upper faces may reach beyond it. Block (i,j,k) starts at point 8
/// (i,j,k), and within a block point (a,b,c) has number a + 8 (b + 8 c).
struct BlockGrid {
  LatticeGeometry lattice;
  Vec3<std::int64_t> counts;  // blocks by axis

  explicit BlockGrid(const LatticeGeometry& geometry)
      : lattice(geometry),
        counts{blocks_along(geometry.counts.x), blocks_along(geometry.counts.y),
               blocks_along(geometry.counts.z)} {}

  std::int64_t size() const { return counts.x * counts.y * counts.z; }

  /// Lattice point with which block `b` starts.
  Vec3<std::int64_t> first_point(std::int64_t b) const {
    return std::int64_t{block_edge} * block_at(b, counts.x, counts.y);
  }

  /// Lattice index of point `p` of block `b`.
  std::int64_t lattice_index(std::int64_t b, int p) const {
    const Vec3<std::int64_t> first = first_point(b);
    return lattice.index(first.x + p % block_edge, first.y + p / block_edge % block_edge,
                         first.z + p / (block_edge * block_edge));
  }

  /// From the first to the last point of block `b`, also where it reaches beyond the lattice.
  Box box(std::int64_t b) const {
    const Vec3<std::int64_t> p = first_point(b);
    constexpr std::int64_t last = block_edge - 1;
    return {lattice.position_A(p.x, p.y, p.z), lattice.position_A(p.x + last, p.y + last, p.z + last)};
  }
};

/// Position of a block in the form that the inner loops take; rows and planes beyond the lattice are not
/// wanted.
BlockFrame block_frame(const BlockGrid& grid, std::int64_t block);

/// `frame` with the rows and planes that hold points of `wanted` (mask_words words); as it is when none does.
BlockFrame frame_of_points(BlockFrame frame, const std::uint64_t* wanted);

}  // namespace ionwell
