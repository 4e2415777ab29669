#pragma once

#include <cstdint>

#include "core/lattice.hpp"
#include "potential/block.hpp"

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
  const std::int64_t nx = (lattice.counts.x + block_edge - 1) / block_edge;
  const std::int64_t ny = (lattice.counts.y + block_edge - 1) / block_edge;
  const std::int64_t plane = number / nx;
  const Vec3<std::int64_t> p{block_edge * (number - plane * nx), block_edge * (plane % ny),
                             block_edge * (plane / ny)};
  return {lattice.position_A(p.x, p.y, p.z), p};
}

}  // namespace ionwell::gpu
