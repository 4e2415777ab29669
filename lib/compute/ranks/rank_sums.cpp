// SPDX-License-Identifier: BSD-3-Clause
#include "compute/ranks/rank_sums.hpp"

#include <algorithm>
#include <type_traits>
#include <utility>

#include "compute/ranks/patient_wait.hpp"
#include "compute/ranks/rank_shares.hpp"
#include "parallel/parallel_for.hpp"
#include "parallel/thread_count.hpp"
#include "programs/child_process.hpp"

namespace ionwell {
namespace {

std::int64_t chunks_of(std::int64_t points) {
  return (points + reduce_chunk - 1) / reduce_chunk;
}

/// Of an order that takes no time.
void nothing_to_stop() {}

}  // namespace

RankSums::RankSums(RankGroup& group, RankSumsJob job)
    : group_(group),
      job_(std::move(job)),
      frames_(job_.plan, job_.options),
      sums_(own_points().count, job_.kinds, thread_count(job_.options.field.threads)),
      received_(own_points().count * std::size_t(group.count())) {
  watched_.reserve(own_points().count);  // watch() must not fail on one rank while the others wait for it
}

RankSums::Points RankSums::points_of(int rank) const {
  const std::int64_t points = job_.plan.lattice.size();
  const auto first = [&](std::int64_t of) {
    return std::size_t(std::min(points, chunks_of(points) * of / group_.count() * reduce_chunk));
  };
  return {first(rank), first(rank + 1) - first(rank)};
}

/// Its own points, of all that the first has.
template <typename T>
void RankSums::take_own(std::span<const T> all, std::span<T> own) const {
  if (group_.rank() > 0) return group_.receive(std::as_writable_bytes(own), 0);
  std::copy_n(all.begin(), own.size(), own.begin());
  for (int rank = 1; rank < group_.count(); ++rank)
    group_.send(std::as_bytes(all.subspan(points_of(rank).first, points_of(rank).count)), rank);
}

void RankSums::watch(std::span<const std::uint8_t> points) {
  watched_.resize(own_points().count);
  take_own(points, std::span(watched_));
}

void RankSums::copy_from_first(FrameSum which, std::span<const double> all) {
  take_own(all, sums_.values(which));
}

void RankSums::copy_to_first(FrameSum which, std::span<double> all) {
  const std::span<const double> own = sums_.values(which);
  if (group_.rank() > 0) return group_.send(std::as_bytes(own), 0);
  std::copy(own.begin(), own.end(), all.begin());
  for (int rank = 1; rank < group_.count(); ++rank)
    group_.receive(std::as_writable_bytes(all.subspan(points_of(rank).first, points_of(rank).count)), rank);
}

void RankSums::sum(const FrameBatch& batch, const Progress& progress) {
  own_map_ = frames_.of(batch.charges, batch.cell, progress);
}

/// Each rank gets its part of every map.
void RankSums::exchange(int maps) {
  const std::size_t own = own_points().count;
  std::vector<RankMessage> sent, received;
  for (int rank = 0; rank < group_.count(); ++rank) {
    if (rank == group_.rank()) continue;
    const Points theirs = points_of(rank);
    if (group_.rank() < maps && theirs.count > 0)
      sent.push_back({rank, std::as_writable_bytes(own_map_.subspan(theirs.first, theirs.count))});
    if (rank < maps && own > 0)
      received.push_back(
          {rank, std::as_writable_bytes(std::span(received_.data() + own * std::size_t(rank), own))});
  }
  group_.exchange(sent, received);
}

std::vector<FrameMaps::SquaredDifference> RankSums::add(int maps, std::span<const SumStep> steps) {
  exchange(maps);
  const Points own = own_points();
  std::vector<FrameMaps::SquaredDifference> changes;
  int map = 0;
  for (const SumStep& step : steps) {
    if (step.adds) {
      sums_.add(map == group_.rank()
                    ? std::span<const float>(own_map_.subspan(own.first, own.count))
                    : std::span<const float>(received_.data() + own.count * std::size_t(map), own.count));
      ++map;
    }
    if (step.frames_of_mean > 0) {
      const auto parts = sums_.note_mean(step.frames_of_mean, watched_);
      changes.insert(changes.end(), parts.begin(), parts.end());
    }
    if (step.frames_of_block > 0) sums_.end_block(step.frames_of_block);
  }
  return changes;
}

SharedFrameSums::SharedFrameSums(RankGroup& group, const Plan& plan, const FrameSumOptions& options,
                                 const StatisticsKinds& kinds, std::span<const std::uint8_t> watched)
    : orders_(group) {
  const PatientWait wait(group, nothing_to_stop);
  RankSumsJob job{.plan = {}, .options = options, .kinds = kinds};
  job.plan.lattice = plan.lattice;
  job.plan.pair = plan.pair;
  job.plan.summation = plan.summation;
  orders_.give({.task = RankTask::make_sums}, job);
  orders_.together([&] { own_.emplace(group, std::move(job)); });
  if (watched.empty()) return;
  orders_.give({.task = RankTask::take_watched});
  own_->watch(watched);
}

/// Nobody is told to stop meanwhile: the word would come before the frames.
void SharedFrameSums::send(std::span<const FrameBatch> batches) {
  RankGroup& group = orders_.group();
  const PatientWait wait(group, nothing_to_stop);
  orders_.give({.task = RankTask::sum_frames, .index = std::ssize(batches)});
  for (std::size_t n = 1; n < batches.size(); ++n) {
    FrameBatchHeader header{batches[n].cell, std::ssize(batches[n].charges)};
    group.send(bytes_of(header), int(n));
    group.send(std::as_bytes(std::span(batches[n].charges)), int(n));
  }
}

std::vector<FrameMaps::SquaredDifference> SharedFrameSums::add(std::span<const FrameBatch> batches,
                                                               std::span<const SumStep> steps,
                                                               const Progress& progress) {
  RankGroup& group = orders_.group();
  bool are_told = false;
  const auto tell_to_stop = [&] {
    if (std::exchange(are_told, true)) return;
    std::byte word{1};
    for (std::size_t n = 1; n < batches.size(); ++n) group.send(bytes_of(word), int(n));
  };
  if (!batches.empty()) {
    send(batches);
    const PatientWait wait(group, tell_to_stop);
    const auto take_words = [&] {
      if (are_told && group.in_step)
        orders_.give({.task = RankTask::take_stop, .index = std::ssize(batches)});
    };
    bool is_own_done = false;
    try {
      orders_.together([&] {
        try {
          own_->sum(batches[0], progress);
        } catch (...) {
          tell_to_stop();
          throw;
        }
        is_own_done = true;
      });
    } catch (const Interrupted&) {
      throw;  // out of step
    } catch (const Error&) {
      take_words();
      if (are_told && is_own_done) throw SumsStopped();
      throw;
    } catch (...) {
      take_words();
      throw;
    }
    take_words();
  }
  const PatientWait wait(group, nothing_to_stop);
  orders_.give({.task = RankTask::add_sums, .index = std::ssize(batches)}, steps);
  std::vector<FrameMaps::SquaredDifference> own;
  const std::vector<RankAnswer> answers =
      orders_.together([&] { own = own_->add(int(batches.size()), steps); });
  const auto comparisons = std::size_t(
      std::count_if(steps.begin(), steps.end(), [](const SumStep& step) { return step.frames_of_mean > 0; }));
  std::vector<FrameMaps::SquaredDifference> changes(comparisons);
  for (int rank = 0; rank < group.count(); ++rank) {
    if (comparisons == 0) break;
    if (rank > 0) own = MessageReader(answers[std::size_t(rank)].text).value<decltype(own)>();
    const std::size_t chunks = own.size() / comparisons;
    for (std::size_t n = 0; n < own.size(); ++n) {
      FrameMaps::SquaredDifference& change = changes[n / chunks];
      change.sum += own[n].sum;
      change.points += own[n].points;
    }
  }
  return changes;
}

void SharedFrameSums::copy_to(FrameSum which, std::span<double> values) {
  const PatientWait wait(orders_.group(), nothing_to_stop);
  orders_.give({.task = RankTask::send_sums, .index = std::int64_t(which)});
  own_->copy_to_first(which, values);
}

void SharedFrameSums::copy_from(FrameSum which, std::span<const double> values) {
  const PatientWait wait(orders_.group(), nothing_to_stop);
  orders_.give({.task = RankTask::take_sums, .index = std::int64_t(which)});
  own_->copy_from_first(which, values);
}

}  // namespace ionwell
