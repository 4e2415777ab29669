#pragma once

#include <chrono>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "cli/progress_bar.hpp"

namespace ionwell {

/// Runs the stages of a command one after the other, measures each and shows how far it is.
class Stages {
 public:
  explicit Stages(ProgressStyle style);

  /// `work(progress)`; its result is the stage's. Stages of one name add up. `shown` on the progress bar.
  template <typename Work>
  auto run(const std::string& name, const std::string& shown, Work&& work) {
    const Timer timer(*this, name);
    ProgressBar bar(shown, style_, *out_);
    return work(Progress([&bar](double done) { bar.update(done); }));
  }

  template <typename Work>
  auto run(const std::string& name, Work&& work) {
    return run(name, name, std::forward<Work>(work));
  }

  /// Seconds by name, in the order in which the stages first ran.
  const std::vector<std::pair<std::string, double>>& times() const { return times_; }
  double total_seconds() const;

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

  /// Its place in times_, made before the stage begins: at its end, which may be for want of memory, nothing
  /// may fail.
  std::size_t number_of(const std::string& name);
  static double seconds_since(Clock::time_point start);

  ProgressStyle style_;
  std::ostream* out_;
  Clock::time_point start_ = Clock::now();
  std::vector<std::pair<std::string, double>> times_;
};

}  // namespace ionwell
