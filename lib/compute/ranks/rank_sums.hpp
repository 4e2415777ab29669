// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "compute/ranks/rank_orders.hpp"
#include "compute/sums/frame_sums.hpp"
#include "compute/sums/map_sums.hpp"
#include "core/periodic_cell.hpp"

namespace ionwell {

/// The charges of frames that are summed together.
struct FrameBatch {
  std::vector<PointCharge> charges;
  std::optional<CellVectors> cell;
};

/// What is sent of a batch before its charges.
struct FrameBatchHeader {
  std::optional<CellVectors> cell;
  std::int64_t charges = 0;
};

/// What is done with the next map, or without one: the map is added; then, where there are so many `frames`,
/// the mean is compared with the one before; then the frames of a block are one.
struct SumStep {
  bool adds = true;
  std::int64_t frames_of_mean = 0, frames_of_block = 0;  // 0: no mean, no block
};

/// How the ranks of an average make maps, on the CPU, and what they keep of them.
struct RankSumsJob {
  Plan plan;  // lattice, pair and summation
  FrameSumOptions options;
  StatisticsKinds kinds;
};

template <typename Message>
void transfer(Message& message, RankSumsJob& job) {
  message(job.plan.lattice, job.plan.pair, job.plan.summation, job.options, job.kinds);
}

/// What one rank has of an average: the map of the frames that it took last, and the sums over all maps at a
/// part of the points.
class RankSums {
 public:
  RankSums(RankGroup& group, RankSumsJob job);
  RankSums(const RankSums&) = delete;
  RankSums& operator=(const RankSums&) = delete;

  /// Points of a rank: whole chunks, so that what is summed over points has the bits of one process.
  struct Points {
    std::size_t first, count;
  };
  Points points_of(int rank) const;
  Points own_points() const { return points_of(group_.rank()); }

  /// Collective: the first says of all points whether they are watched, the others give none. Without this
  /// call all are.
  void watch(std::span<const std::uint8_t> points);

  /// Makes the map of a batch.
  void sum(const FrameBatch& batch, const Progress& progress);

  /// Collective: the ranks below `maps` have made a map each. Returns for each chunk of the own points, of
  /// each step that compares means, what changed.
  std::vector<FrameMaps::SquaredDifference> add(int maps, std::span<const SumStep> steps);

  /// Collective: the sums at all points come to the first, or from it; the others give none.
  void copy_to_first(FrameSum which, std::span<double> all);
  void copy_from_first(FrameSum which, std::span<const double> all);

 private:
  void exchange(int maps);
  template <typename T>
  void take_own(std::span<const T> all, std::span<T> own) const;

  RankGroup& group_;
  RankSumsJob job_;
  FrameSums frames_;
  MapSums sums_;
  std::vector<std::uint8_t> watched_;
  std::span<float> own_map_;    // until the next one
  LargeArray<float> received_;  // of each rank's map the own points, in the order of ranks
};

/// Another rank has stopped, for the user wants to end.
struct SumsStopped {};

/// The sums over the maps of frames that ranks of a group make, each a batch at a time on its processors and
/// all sums at its part of the points: they, and all that is made of them, are those of one process, bit for
/// bit. The first rank's side.
class SharedFrameSums final : public KeptSums {
 public:
  /// `plan` is for the CPU. `watched`: the points where means are compared, all if empty.
  SharedFrameSums(RankGroup& group, const Plan& plan, const FrameSumOptions& options,
                  const StatisticsKinds& kinds, std::span<const std::uint8_t> watched);

  /// Batches that are best summed together.
  std::size_t at_once() const { return std::size_t(orders_.group().count()); }

  /// Sums `batches`, at_once() at most, and takes the steps with their maps, in their order. Returns what
  /// each comparison of means says. Throws what FrameSums::of throws, here or on another rank, and what
  /// `progress` does: then no step was taken. Others are waited for even when the user wants to end.
  std::vector<FrameMaps::SquaredDifference> add(std::span<const FrameBatch> batches,
                                                std::span<const SumStep> steps, const Progress& progress);

  void copy_to(FrameSum which, std::span<double> values) override;
  void copy_from(FrameSum which, std::span<const double> values) override;

 private:
  void send(std::span<const FrameBatch> batches);

  RankOrders orders_;
  std::optional<RankSums> own_;
};

}  // namespace ionwell
