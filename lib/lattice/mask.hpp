// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/block.hpp"
#include "lattice/mask_kernels.hpp"

namespace ionwell {

/// Where an ion can still go: one bit for each lattice point, kept by blocks (mask_words words each, in the
/// order of the BlockGrid). May be read by several threads; changed by one caller at a time.
class Mask {
 public:
  /// Every point of the lattice is available at first; `grid` must outlive the mask.
  Mask(const BlockGrid& grid, SimdLevel simd, int threads);

  /// Takes away the points with d^2 <= limit_A2 from any of `centres`; in parallel over blocks,
  /// O(blocks near a centre * centres near a block).
  void exclude(std::span<const Vec3<double>> centres, double limit_A2);

  /// Takes away the points of a block whose bits are not in `mask`.
  void keep(std::int64_t block, const std::uint64_t* mask) {
    for (int w = 0; w < mask_words; ++w) bits_[mask_words * block + w] &= mask[w];
  }

  const std::uint64_t* of_block(std::int64_t block) const { return bits_.data() + mask_words * block; }

  /// Whether a block has an available point.
  bool any(std::int64_t block) const;

  /// Available points of the lattice; O(blocks).
  std::int64_t count() const;

 private:
  const BlockGrid& grid_;
  const MaskKernels& kernels_;
  int threads_;
  std::vector<std::uint64_t> bits_;
};

inline bool is_set(const std::uint64_t* bits, int point) {
  return bits[point / 64] >> (point % 64) & 1;
}

}  // namespace ionwell
