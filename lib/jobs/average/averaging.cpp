// SPDX-License-Identifier: BSD-3-Clause
#include "jobs/average/averaging.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "parallel/thread_count.hpp"
#include "parallel/work_ahead.hpp"

namespace ionwell {
namespace {

/// The run was asked to stop while frames were summed.
struct StopAsked {};

}  // namespace

Averaging::Averaging(const AverageJob& job, const FramePreparation& preparation, const Plan& plan,
                     AverageResult& result, FrameTallies done, std::vector<std::uint8_t> watched)
    : job_(job),
      preparation_(preparation),
      result_(result),
      sums_(plan, {job.boundary, job.ewald_factor_per_A, job.field}),
      done_(done),
      watched_(std::move(watched)) {
  const Vec3<std::int64_t>& n = plan.lattice.counts;
  lattice_ = {plan.lattice.origin_A, plan.lattice.position_A(n.x - 1, n.y - 1, n.z - 1)};
  const Vec3<double>& h = plan.lattice.spacing_A;
  spacing_A_ = std::max({h.x, h.y, h.z});
  if (plan.group == nullptr || !plan.group->is_free()) return;
  shared_.emplace(*plan.group, plan, FrameSumOptions{job.boundary, job.ewald_factor_per_A, job.field},
                  job.statistics, watched_);
  statistics().keep_with(*shared_);
}

void Averaging::run(const Progress& progress) {
  const auto start = saved_ = std::chrono::steady_clock::now();
  std::int64_t next = done_.next;
  pending_ = done_;
  WorkAhead<RawFrame, PreparedFrame> ahead(
      [&]() -> std::optional<RawFrame> {
        if (next == preparation_.frames()) return {};
        const std::lock_guard lock(reading_);
        return preparation_.read(next++);
      },
      [&](RawFrame&& frame) { return preparation_.prepare(std::move(frame)); }, preparing_threads(),
      frames_ahead);
  progress_ = &progress;
  try {
    while (std::optional<PreparedFrame> frame = ahead.take()) {
      stop_if_asked();
      take(std::move(*frame));
    }
    flush();
    end_block();
    sum_waiting();
    done_ = pending_;  // bad ones behind the last
  } catch (const StopAsked&) {
    summary().is_interrupted = true;
  } catch (const SumsStopped&) {
    summary().is_interrupted = true;
  }
  summary().tallies = done_;
  const bool may_be_saved = job_.state || job_.save;
  const std::optional<DeviceUse> by_device =
      statistics().leave(may_be_saved ? MapStatistics::Purpose::state : MapStatistics::Purpose::maps);
  summary().seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  if (result_.run.backend != Backend::cpu)
    result_.run.device_use = by_device ? *by_device : sums_.device_use();
}

/// One beside the sums of the CPU, which take all; a device takes frames faster than one prepares them.
int Averaging::preparing_threads() {
  constexpr int enough = 4;
  return statistics().is_on_device() ? std::clamp(thread_count(job_.field.threads), 1, enough) : 1;
}

void Averaging::stop_if_asked() const {
  if (job_.should_stop && job_.should_stop()) throw StopAsked{};
}

void Averaging::take(PreparedFrame&& frame) {
  if (job_.statistics.error && frame.number > 0 && block_of(frame.number) != block_of(frame.number - 1)) {
    flush();
    end_block();
  }
  if (job_.boundary == Boundary::periodic && in_batch_ > 0 && !same_cell(frame.cell)) flush();
  pending_.next = frame.number + 1;
  if (!frame.problem.empty()) {
    if (pending_.bad++ == 0) pending_.first_bad = frame.problem;
    return;
  }
  count(frame);
  if (statistics().is_on_device())
    statistics().take(frame.charges, frame.box);
  else
    charges_.insert(charges_.end(), frame.charges.begin(), frame.charges.end());
  cell_ = frame.cell;
  preparation_.take_back(std::move(frame));
  ++in_batch_;
  const std::int64_t frames = frames_taken();
  if (in_batch_ == summary().frames_at_once || std::has_single_bit(std::uint64_t(frames))) flush();
}

bool Averaging::same_cell(const std::optional<CellVectors>& cell) const {
  return cell && cell_ && cell->a == cell_->a && cell->b == cell_->b && cell->c == cell_->c;
}

void Averaging::count(const PreparedFrame& frame) {
  const std::int64_t before = frames_taken();
  pending_.made_whole += frame.was_made_whole;
  pending_.rmsd_sum_A += frame.rmsd_A;
  if (before == 0 || frame.rmsd_A < pending_.lowest_rmsd_A) pending_.lowest_rmsd_A = frame.rmsd_A;
  if (before == 0 || frame.rmsd_A > pending_.highest_rmsd_A) {
    pending_.highest_rmsd_A = frame.rmsd_A;
    pending_.highest_rmsd_frame = job_.input.frames.index(frame.number) + 1;
  }
  double beyond_A = 0.0;
  for (const Vec3<double>& corner : {frame.box.lowest_A, frame.box.highest_A}) {
    const Vec3<double> out = corner - nearest_in(lattice_, corner);
    beyond_A = std::max({beyond_A, std::abs(out.x), std::abs(out.y), std::abs(out.z)});
  }
  if (!(beyond_A > spacing_A_)) return;  // with a border of 0 the last atoms may be half of that outside
  ++pending_.beyond_lattice;
  pending_.farthest_beyond_A = std::max(pending_.farthest_beyond_A, beyond_A);
}

/// Of those that were taken, also what is not summed yet.
std::int64_t Averaging::frames_taken() const {
  std::int64_t frames = result_.statistics.frames() + in_batch_;
  for (const Waiting& batch : waiting_) frames += batch.frames;
  return frames;
}

/// The frames taken since the last one are a batch.
void Averaging::flush() {
  if (in_batch_ == 0) return;
  waiting_.push_back({pending_, in_batch_, false});
  batches_.push_back({std::move(charges_), cell_});
  charges_ = {};
  in_batch_ = 0;
  if (!shared_ || batches_.size() == shared_->at_once()) sum_waiting();
}

/// The frames before are a block.
void Averaging::end_block() {
  if (!waiting_.empty()) {
    waiting_.back().ends_block = true;
  } else if (!shared_) {
    statistics().end_block();
  } else if (const std::int64_t frames = statistics().counts().frames_of_block; frames > 0) {
    const SumStep step{.adds = false, .frames_of_block = frames};
    shared_->add({}, std::span(&step, 1), {});
    statistics().count_block();
  }
}

/// Sums all batches that wait, and takes their sums in, in their order.
void Averaging::sum_waiting() {
  if (waiting_.empty()) return;
  const double begin = double(done_.next) / double(preparation_.frames());
  const double end = double(waiting_.back().upto.next) / double(preparation_.frames());
  const auto watch = [&](double part) {
    stop_if_asked();
    (*progress_)(begin + part * (end - begin));
  };
  if (statistics().is_on_device()) {
    statistics().add_taken(waiting_.front().frames);
    took(waiting_.front());
  } else if (shared_) {
    add_on_ranks(watch);
  } else {
    const FrameBatch& batch = batches_.front();
    statistics().add(sums_.of(batch.charges, batch.cell, watch), waiting_.front().frames);
    took(waiting_.front());
  }
  charges_ = std::move(batches_.back().charges);  // their memory is for others
  charges_.clear();
  batches_.clear();
  waiting_.clear();
  (*progress_)(end);
}

/// As the other ways do for one batch after the other.
void Averaging::add_on_ranks(const Progress& progress) {
  std::int64_t frames = statistics().frames(), of_block = statistics().counts().frames_of_block;
  std::vector<SumStep> steps;
  for (const Waiting& batch : waiting_) {
    frames += batch.frames;
    of_block += batch.frames;
    SumStep step;
    if (std::has_single_bit(std::uint64_t(frames))) step.frames_of_mean = frames;
    if (batch.ends_block) step.frames_of_block = std::exchange(of_block, 0);
    steps.push_back(step);
  }
  const std::vector<FrameMaps::SquaredDifference> changes = shared_->add(batches_, steps, progress);
  auto change = changes.begin();
  for (std::size_t n = 0; n < steps.size(); ++n) {
    statistics().count_added(waiting_[n].frames);
    if (steps[n].frames_of_mean > 0) statistics().count_change(*change++);
    if (steps[n].frames_of_block > 0) statistics().count_block();
  }
  done_ = waiting_.back().upto;
  save_now_and_then();
}

/// Their sum is in the statistics.
void Averaging::took(const Waiting& batch) {
  if (std::has_single_bit(std::uint64_t(statistics().frames()))) statistics().note_mean(watched_);
  if (batch.ends_block) statistics().end_block();
  done_ = batch.upto;
  save_now_and_then();
}

void Averaging::save_now_and_then() {
  const auto now = std::chrono::steady_clock::now();
  if (!job_.save) return;
  const bool is_asked = job_.should_save && job_.should_save();
  if (!is_asked && std::chrono::duration<double>(now - saved_).count() < job_.save_every_s) return;
  summary().tallies = done_;
  statistics().fetch(MapStatistics::Purpose::state);
  const std::lock_guard lock(reading_);  // libnetcdf and what saves may both be HDF5, which has no locks
  job_.save(result_);
  saved_ = std::chrono::steady_clock::now();
}

}  // namespace ionwell
