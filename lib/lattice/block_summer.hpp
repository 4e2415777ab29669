#pragma once

#include <cstdint>
#include <span>

#include "placement/field.hpp"

namespace ionwell {

/// Blocks with values in host memory: slot s is block numbers[s] of the lattice's BlockGrid, and its point p
/// (block.hpp) has the value values[block_points * s + p].
struct HostBlocks {
  LatticeGeometry lattice;
  std::span<const std::int32_t> numbers;
  float* values;
};

/// Sums potentials for a CPU field in its place, on GPUs for example: the values stay where they are.
class BlockSummer {
 public:
  virtual ~BlockSummer() = default;

  /// values += the direct sum, with an error of at most rounding_of_direct_sum (block_kernels.hpp) of the sum
  /// of the terms' magnitudes. Charges whose potential at 1 A is below 1e-12 kT/e count as zero.
  virtual void add_direct(const HostBlocks& blocks, const PairPotential& pair,
                          std::span<const PointCharge> charges, const Progress& progress) = 0;

  /// values += the multilevel sum; with `short_range` false it need be right only farther than the cutoff
  /// from every charge.
  virtual void add_multilevel(const HostBlocks& blocks, const MultilevelPlan& plan,
                              std::span<const PointCharge> charges, bool short_range,
                              const Progress& progress) = 0;

  /// All it did so far.
  virtual DeviceUse device_use() const { return {}; }
};

}  // namespace ionwell
