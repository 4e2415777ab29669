// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>
#include <ostream>
#include <string>
#include <utility>

#include "placement/field.hpp"

namespace ionwell {

/// How a running stage is shown: a bar that is redrawn on a terminal, a few lines in a log file, or nothing.
enum class ProgressStyle { bar, lines, none };

/// A bar when standard error is a terminal, lines when it is not, nothing when `quiet`.
ProgressStyle progress_style(bool quiet);

/// "1:05", "2:00:07": a duration in minutes and seconds, hours when there are any.
std::string describe_duration(double seconds);

/// Shows how far one stage is, once it is clear that it takes more than a second.
class ProgressBar {
 public:
  ProgressBar(std::string stage, ProgressStyle style, std::ostream& out);
  ~ProgressBar();  // takes the bar off the screen
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// The fraction done, 0 to 1.
  void update(double done);

  /// Takes the bar off the screen until the next update.
  void clear();

  /// A few words on the stage that a bar shows after its numbers from now on, where there is room.
  void note(std::string text) { note_ = std::move(text); }

 private:
  using Clock = std::chrono::steady_clock;

  void draw_bar(double done, const std::string& remaining);
  void print_line(double done, const std::string& remaining);

  std::string stage_, note_;
  ProgressStyle style_;
  std::ostream& out_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point drawn_ = start_;
  bool on_screen_ = false;
  int quarters_printed_ = 0;
};

}  // namespace ionwell
