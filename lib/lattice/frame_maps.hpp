// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core/box.hpp"
#include "core/device_use.hpp"
#include "core/lattice.hpp"
#include "core/structure.hpp"
#include "electrostatics/multilevel/multilevel_plan.hpp"
#include "electrostatics/pair_potential.hpp"

namespace ionwell {

/// Sums over the maps of frames that statistics are made of; MapStatistics (run/average) says of what.
enum class FrameSum { sum, squares, block_sum, block_means, block_squares, mean_before };
constexpr int frame_sums = 6;

/// Sums over the maps of frames that are kept elsewhere than in this process's memory: one value for each
/// lattice point, i fastest, of a sum that is kept.
class KeptSums {
 public:
  virtual ~KeptSums() = default;
  virtual void copy_to(FrameSum which, std::span<double> values) = 0;
  virtual void copy_from(FrameSum which, std::span<const double> values) = 0;
};

/// How the map of some frames is made, and what is kept of it.
struct FrameMapsOptions {
  LatticeGeometry lattice;
  PairPotential pair;
  std::optional<MultilevelOptions> multilevel;  // none: the direct sum
  std::int64_t most_charges = 0;                // of one map
  bool has_squares = false, has_blocks = false;
  std::int64_t memory_bytes = 0;  // of the device that may be used
  int threads = 1;                // of the host
};

/// Sums over the maps of frames, made and kept on a device. A map is in fp32, the sums are in fp64 and in the
/// order of the maps. For one thread at a time.
class FrameMaps : public KeptSums {
 public:
  /// Charges of one more frame for the next map, all of them within `box`.
  virtual void take(std::span<const PointCharge> charges, const Box& box) = 0;

  /// Adds the map of what was taken to the sums, and begins the next one. Returns before the device is done.
  virtual void add_map() = 0;

  /// The `frames` since the last block are one.
  virtual void end_block(std::int64_t frames) = 0;

  /// The mean over `frames` is the mean before from now on. Differences between the two are squared and
  /// summed up over those lattice points (i fastest) where `points`, the same in every call, is not 0; over
  /// all when it is empty.
  struct SquaredDifference {
    double sum = 0.0;
    std::int64_t points = 0;
  };
  virtual SquaredDifference note_mean(std::int64_t frames, std::span<const std::uint8_t> points) = 0;

  /// So far.
  virtual DeviceUse use() const = 0;
};

}  // namespace ionwell
