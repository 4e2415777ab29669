// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "compute/observer.hpp"

namespace ionwell {

class Checkpoint;

/// Runs the stages of a run one after the other, measures each and lets the observer follow; whenever a stage
/// tells its progress, the checkpoint of the run is looked after. For one thread.
class Stages {
 public:
  /// `checkpoint` may be null, and outlives this.
  explicit Stages(RunObserver observer = {}, Checkpoint* checkpoint = nullptr);

  /// `work(progress)`; its result is the stage's. Stages of one name add up. See RunObserver for `shown`.
  template <typename Work>
  auto run(const std::string& name, const std::string& shown, Work&& work) {
    const Timer timer(*this, name);
    const Progress progress = begin(name, shown);
    return work(progress);
  }

  template <typename Work>
  auto run(const std::string& name, Work&& work) {
    return run(name, name, std::forward<Work>(work));
  }

  const RunObserver& observer() const { return observer_; }

  /// Where the run saves what it has come to; null when it does not.
  Checkpoint* checkpoint() const { return checkpoint_; }

  /// For a caller that knows only later what the checkpoint depends on.
  void save_to(Checkpoint& checkpoint);

  /// Seconds by name, in the order in which the stages first ran.
  const std::vector<std::pair<std::string, double>>& times() const { return times_; }

  /// Seconds since this object was made.
  double total_seconds() const { return seconds_since(start_); }

 private:
  using Clock = std::chrono::steady_clock;

  class Timer {
   public:
    Timer(Stages& stages, const std::string& name) : stages_(stages), stage_(stages.number_of(name)) {}
    ~Timer() { stages_.times_[stage_].second += seconds_since(start_); }
    Timer(const Timer&) = delete;
    Timer& operator=(const Timer&) = delete;

   private:
    Stages& stages_;
    std::size_t stage_;
    Clock::time_point start_ = Clock::now();
  };

  /// What the observer wants to be told; never empty.
  Progress begin(const std::string& name, const std::string& shown) const;

  /// Its place in times_, made before the stage begins: at its end, which may be because of lack of memory,
  /// nothing may fail.
  std::size_t number_of(const std::string& name);
  static double seconds_since(Clock::time_point start);

  RunObserver observer_;
  Checkpoint* checkpoint_;
  Clock::time_point start_ = Clock::now();
  std::vector<std::pair<std::string, double>> times_;
};

}  // namespace ionwell
