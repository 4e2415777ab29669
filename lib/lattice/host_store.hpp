// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/block.hpp"
#include "core/large_array.hpp"
#include "electrostatics/potential_source.hpp"
#include "lattice/mask.hpp"

namespace ionwell {

struct alignas(64) BlockValues {
  float value[block_points];
};

constexpr int node_edge = 4;  // blocks to a side of a node

/// A cube of blocks, so that a search need not look at every one of them: slots [first, last), which follow
/// each other in memory.
struct Node {
  std::size_t first = 0, last = 0;
  Vec3<std::int64_t> first_point;  // of the lattice
};

/// A lattice in host memory: the mask, and values by block. Blocks with values are numbered by slot, in the
/// order of their nodes and in a node column by column along z. Not for several threads at a time, but for
/// `values` of different slots.
class HostStore {
 public:
  /// With `every_point` all blocks get values, otherwise those with an available point.
  HostStore(const LatticeGeometry& lattice, bool every_point, SimdLevel simd, int threads);
  HostStore(const HostStore&) = delete;
  HostStore& operator=(const HostStore&) = delete;

  const BlockGrid& grid() const { return grid_; }
  Mask& mask() { return mask_; }
  const Mask& mask() const { return mask_; }

  /// Lists the blocks that get values and sets them to 0; once, when the mask holds all of the solute.
  void make_blocks();

  std::size_t size() const { return numbers_.size(); }
  std::int64_t number(std::size_t slot) const { return numbers_[slot]; }
  std::span<const Node> nodes() const { return nodes_; }
  float* values(std::size_t slot) { return values_[slot].value; }
  const float* values(std::size_t slot) const { return values_[slot].value; }
  const std::uint64_t* available(std::size_t slot) const { return mask_.of_block(numbers_[slot]); }

  /// From the centre of a cube with `edge` points to a side to its faces.
  Vec3<double> half_extent_A(std::int64_t edge) const {
    return (0.5 * double(edge - 1)) * grid_.lattice.spacing_A;
  }

  /// All blocks with values, for who fills them; valid until the mask changes.
  HostBlocks blocks();

  /// Where a block is, with the rows and planes that need values.
  BlockFrame frame(std::size_t slot) const;

  /// One value per point of the lattice to `values`, in its order; 0 where there is none.
  void copy_values(std::span<float> values) const;

 private:
  BlockGrid grid_;
  bool every_point_;
  int threads_;
  Mask mask_;
  std::vector<std::int32_t> numbers_;
  std::vector<Node> nodes_;
  LargeArray<BlockValues> values_;
};

}  // namespace ionwell
