#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/block.hpp"
#include "electrostatics/simd/block_kernels.hpp"

namespace ionwell {

/// Where an ion can still go: one bit for each lattice point, kept by blocks.
class Availability {
 public:
  static constexpr int words = block_points / 64;  // bit p of a block is bit p % 64 of word p / 64

  /// Every point of the lattice is available at first.
  Availability(const BlockGrid& grid, const BlockKernels& kernels, int threads);

  /// Takes away the points with d^2 <= limit_A2 from any of `centres`; in parallel over blocks.
  void exclude(std::span<const Vec3<double>> centres, double limit_A2);

  /// Takes away the points of a block whose bits are not in `mask`.
  void keep(std::int64_t block, const std::uint64_t* mask) {
    for (int w = 0; w < words; ++w) bits_[words * block + w] &= mask[w];
  }

  const std::uint64_t* of_block(std::int64_t block) const { return bits_.data() + words * block; }
  bool any(std::int64_t block) const;
  /// The block's frame with the rows and planes that have available points; all of them when none has.
  BlockFrame frame(std::int64_t block) const;
  std::int64_t count() const;

 private:
  const BlockGrid& grid_;
  const BlockKernels& kernels_;
  int threads_;
  std::vector<std::uint64_t> bits_;
};

inline bool is_set(const std::uint64_t* bits, int point) {
  return bits[point / 64] >> (point % 64) & 1;
}

/// Position of a block in the form that the inner loops take.
BlockFrame block_frame(const BlockGrid& grid, std::int64_t block);

}  // namespace ionwell
