// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

#include "core/block.hpp"
#include "core/lattice.hpp"

namespace ionwell::gpu {

/// The blocks of a lattice that hold values, in device memory: slot s is block numbers[s] of the lattice's
/// BlockGrid, and its point p (block.hpp) has the value values[block_points * s + p].
struct DeviceBlocks {
  LatticeGeometry lattice;
  const std::int32_t* numbers;
  std::int64_t count;
  float* values;
};

/// BlockGrid's arithmetic for kernels.
struct BlockFrameD {
  Vec3<double> first_A;            // position of its first point
  Vec3<std::int64_t> first_point;  // indices of its first point
};

IONWELL_HD inline BlockFrameD frame_of_block(const LatticeGeometry& lattice, std::int64_t number) {
  const Vec3<std::int64_t> p = std::int64_t{block_edge} * block_at(number, blocks_along(lattice.counts.x),
                                                                   blocks_along(lattice.counts.y));
  return {lattice.position_A(p.x, p.y, p.z), p};
}

/// Where a lattice point lies: the number of its block, and its own in there.
struct PlaceInBlock {
  std::int64_t block;
  int point;
};

IONWELL_HD inline PlaceInBlock place_in_block(const LatticeGeometry& lattice, std::int64_t index) {
  const Vec3<std::int64_t> p = lattice.point(index);
  const std::int64_t nx = blocks_along(lattice.counts.x), ny = blocks_along(lattice.counts.y);
  return {p.x / block_edge + nx * (p.y / block_edge + ny * (p.z / block_edge)),
          int(p.x % block_edge + block_edge * (p.y % block_edge + block_edge * (p.z % block_edge)))};
}

/// Block (i,j,k) that a slot holds, in 32-bit arithmetic.
IONWELL_HD inline Vec3<int> block_in_slot(const DeviceBlocks& blocks, std::int64_t slot) {
  const Vec3<std::uint32_t> b =
      block_at(std::uint32_t(blocks.numbers[slot]), std::uint32_t(blocks_along(blocks.lattice.counts.x)),
               std::uint32_t(blocks_along(blocks.lattice.counts.y)));
  return {int(b.x), int(b.y), int(b.z)};
}

}  // namespace ionwell::gpu
