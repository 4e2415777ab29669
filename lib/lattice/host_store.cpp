// SPDX-License-Identifier: BSD-3-Clause
#include "lattice/host_store.hpp"

#include <algorithm>

#include "parallel/parallel_for.hpp"

namespace ionwell {

HostStore::HostStore(const LatticeGeometry& lattice, bool every_point, SimdLevel simd, int threads)
    : grid_(lattice), every_point_(every_point), threads_(threads), mask_(grid_, simd, threads) {}

void HostStore::make_blocks() {
  const auto nodes_along = [](std::int64_t blocks) { return (blocks + node_edge - 1) / node_edge; };
  for (std::int64_t gk = 0; gk < nodes_along(grid_.counts.z); ++gk)
    for (std::int64_t gj = 0; gj < nodes_along(grid_.counts.y); ++gj)
      for (std::int64_t gi = 0; gi < nodes_along(grid_.counts.x); ++gi) {
        constexpr std::int64_t edge = node_edge * block_edge;
        Node node{numbers_.size(), 0, {edge * gi, edge * gj, edge * gk}};
        for (std::int64_t j = node_edge * gj; j < std::min(node_edge * (gj + 1), grid_.counts.y); ++j)
          for (std::int64_t i = node_edge * gi; i < std::min(node_edge * (gi + 1), grid_.counts.x); ++i)
            for (std::int64_t k = node_edge * gk; k < std::min(node_edge * (gk + 1), grid_.counts.z); ++k) {
              const std::int64_t number = i + grid_.counts.x * (j + grid_.counts.y * k);
              if (every_point_ || mask_.any(number)) numbers_.push_back(std::int32_t(number));
            }
        node.last = numbers_.size();
        if (node.first < node.last) nodes_.push_back(node);
      }
  values_ = LargeArray<BlockValues>(numbers_.size());
  // The thread that touches memory first has it near.
  parallel_for({threads_}, std::ssize(numbers_),
               [&](std::int64_t slot) { std::fill_n(values(std::size_t(slot)), block_points, 0.0f); });
}

HostBlocks HostStore::blocks() {
  return {grid_.lattice, numbers_, values_.size() > 0 ? values_.data()->value : nullptr,
          every_point_ ? nullptr : mask_.of_block(0)};
}

BlockFrame HostStore::frame(std::size_t slot) const {
  const BlockFrame frame = block_frame(grid_, numbers_[slot]);
  return every_point_ ? frame : frame_of_points(frame, available(slot));
}

void HostStore::copy_values(std::span<float> values) const {
  const Vec3<std::int64_t>& points = grid_.lattice.counts;
  if (std::int64_t(size()) < grid_.size()) std::fill(values.begin(), values.end(), 0.0f);
  parallel_for({threads_, 16}, std::ssize(numbers_), [&](std::int64_t n) {
    const float* const from = this->values(std::size_t(n));
    const Vec3<std::int64_t> first = grid_.first_point(numbers_[std::size_t(n)]);
    const std::int64_t width = std::min<std::int64_t>(block_edge, points.x - first.x);
    for (std::int64_t k = 0; k < block_edge && first.z + k < points.z; ++k)
      for (std::int64_t j = 0; j < block_edge && first.y + j < points.y; ++j)
        std::copy_n(from + block_edge * (j + block_edge * k), width,
                    values.data() + grid_.lattice.index(first.x, first.y + j, first.z + k));
  });
}

}  // namespace ionwell
