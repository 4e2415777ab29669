// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <vector>

#include "compute/ranks/rank_sums.hpp"
#include "jobs/average/average.hpp"
#include "jobs/average/prepared_frames.hpp"

namespace ionwell {

constexpr std::size_t frames_ahead = 8;  // that were read and wait

/// Takes frames as they come, sums them together, and keeps count.
class Averaging {
 public:
  /// What is referred to must outlive this. `done` of the frames are in the result's statistics already;
  /// `watched` are the points at which means are compared.
  Averaging(const AverageJob& job, const FramePreparation& preparation, const Plan& plan,
            AverageResult& result, FrameTallies done, std::vector<std::uint8_t> watched);

  /// All frames, or those until the job is asked to stop.
  void run(const Progress& progress);

 private:
  /// A batch of frames that is not summed yet, but for its charges.
  struct Waiting {
    FrameTallies upto;
    std::int64_t frames;
    bool ends_block;
  };

  MapStatistics& statistics() { return result_.statistics; }
  AverageSummary& summary() { return result_.summary; }
  std::int64_t block_of(std::int64_t number) const { return number * job_.blocks / preparation_.frames(); }

  int preparing_threads();
  void stop_if_asked() const;
  void take(PreparedFrame&& frame);
  bool same_cell(const std::optional<CellVectors>& cell) const;
  void count(const PreparedFrame& frame);
  std::int64_t frames_taken() const;
  void flush();
  void end_block();
  void sum_waiting();
  void add_on_ranks(const Progress& progress);
  void took(const Waiting& batch);
  void save_now_and_then();

  const AverageJob& job_;
  const FramePreparation& preparation_;
  AverageResult& result_;
  FrameSums sums_;
  std::optional<SharedFrameSums> shared_;  // of ranks
  FrameTallies done_, pending_;            // of the frames summed, and of those taken
  std::vector<std::uint8_t> watched_;
  Box lattice_;
  double spacing_A_ = 0.0;
  std::vector<PointCharge> charges_;
  std::optional<CellVectors> cell_;  // of the frames taken
  std::int64_t in_batch_ = 0;
  std::vector<FrameBatch> batches_;  // to be summed
  std::vector<Waiting> waiting_;     // what there is to know of them
  std::mutex reading_;
  std::chrono::steady_clock::time_point saved_;
  const Progress* progress_ = nullptr;
};

}  // namespace ionwell
