// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/large_array.hpp"
#include "lattice/frame_maps.hpp"

namespace ionwell {

/// Which statistics of a map over frames are kept, besides its mean.
struct StatisticsKinds {
  bool deviation = false;  // by frame
  bool error = false;      // of the mean, by blocks of frames
};

/// What MapStatistics are made of, in host memory: sums at some points, in fp64 and in the order of the maps,
/// so that those at a part of the points have the bits of all.
class MapSums {
 public:
  /// Zeros.
  MapSums(std::size_t points, const StatisticsKinds& kinds, int threads);

  /// Room for what comes from elsewhere, whose values are not set, with the mean of before or without it.
  enum class MeanBefore { kept, left_out };
  static MapSums room(std::size_t points, const StatisticsKinds& kinds, int threads, MeanBefore mean_before);

  /// Takes in a map, or the sum of some.
  void add(std::span<const float> values);

  /// The `frames` since the last block are one; nothing where no error is kept.
  void end_block(std::int64_t frames);

  /// FrameMaps' function of this name, for each reduce_chunk of the points.
  std::vector<FrameMaps::SquaredDifference> note_mean(std::int64_t frames,
                                                      std::span<const std::uint8_t> points);

  /// Empty for one that is not kept.
  std::span<double> values(FrameSum which);
  std::span<const double> values(FrameSum which) const;

 private:
  struct Unset {};
  MapSums(Unset, std::size_t points, const StatisticsKinds& kinds, int threads)
      : points_(std::int64_t(points)), kinds_(kinds), threads_(threads) {}

  using Sums = LargeArray<double>;
  Sums& sums(FrameSum which) { return sums_[std::size_t(which)]; }

  std::int64_t points_;
  StatisticsKinds kinds_;
  int threads_;
  std::array<Sums, frame_sums> sums_;
};

}  // namespace ionwell
