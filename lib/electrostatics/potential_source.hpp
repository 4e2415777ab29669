// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "core/block.hpp"
#include "core/device_use.hpp"
#include "electrostatics/charge_table.hpp"
#include "electrostatics/simd/simd_level.hpp"
#include "electrostatics/solute_potential.hpp"
#include "parallel/progress.hpp"

namespace ionwell {

/// Blocks with values in host memory: slot s is block numbers[s] of the lattice's BlockGrid, and its point p
/// (block.hpp) has the value values[block_points * s + p]. Slots that follow each other along z are summed
/// together.
struct HostBlocks {
  LatticeGeometry lattice;
  std::span<const std::int32_t> numbers;
  float* values;  // 64-byte aligned
  /// By block of the lattice, mask_words words each: the points whose values are wanted, the others' may be
  /// left. Null: all of the lattice.
  const std::uint64_t* wanted;

  /// Where a slot's block is, with the rows and planes that are wanted.
  BlockFrame frame(const BlockGrid& grid, std::size_t slot) const {
    const std::int64_t number = numbers[slot];
    const BlockFrame frame = block_frame(grid, number);
    return wanted == nullptr ? frame : frame_of_points(frame, wanted + mask_words * number);
  }
};

/// Where a solute's potential comes from, ready to fill blocks; one class for each way to get it.
class PotentialSource {
 public:
  virtual ~PotentialSource() = default;

  /// values += the solute's potential [kT/e]. Its error: for a direct sum at most rounding_of_direct_sum
  /// (simd/direct_kernels.hpp) of the sum of the terms' magnitudes; for a map that of rounding to fp32; that
  /// of a multilevel sum is measured afterwards. Charges whose potential at 1 A is below 1e-12 kT/e count as
  /// zero. Throws what `progress` throws.
  virtual void add_to(const HostBlocks& blocks, const Progress& progress) = 0;

  /// All that devices did for it so far.
  virtual DeviceUse device_use() const { return {}; }
};

/// What a source may want to know of the field that it is for. References must outlive the source.
struct SourceContext {
  const BlockGrid& grid;
  const PairPotential& pair;
  const ChargeTable& charges;  // those of the potential, as the inner loops take them
  bool short_range;            // whether values within the multilevel cutoff of a charge must be right
  SimdLevel simd;
  int threads;
};

/// Makes the source of a potential. `progress` is of what has to be done before the first block.
using SourceFactory = std::function<std::unique_ptr<PotentialSource>(
    const SolutePotential& potential, const SourceContext& context, const Progress& progress)>;

/// Sums on the CPU.
std::unique_ptr<PotentialSource> make_cpu_source(const SolutePotential& potential,
                                                 const SourceContext& context, const Progress& progress);

}  // namespace ionwell
