// SPDX-License-Identifier: BSD-3-Clause
#include "cli/progress_bar.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iomanip>
#include <string_view>

#include "cli/terminal.hpp"
#include "core/text/text_stream.hpp"

namespace ionwell {
namespace {

constexpr double worth_showing_s = 1.0;  // shorter stages come and go unseen
constexpr double redraw_s = 0.1;
constexpr double worth_a_line_s = 2.0;  // a log needs no news of what is over in a moment

double seconds_between(std::chrono::steady_clock::time_point from, std::chrono::steady_clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

}  // namespace

ProgressStyle progress_style(bool quiet) {
  if (quiet) return ProgressStyle::none;
  const char* const terminal = std::getenv("TERM");
  const bool redraws =
      isatty(STDERR_FILENO) == 1 && terminal != nullptr && std::string_view(terminal) != "dumb";
  return redraws ? ProgressStyle::bar : ProgressStyle::lines;
}

std::string describe_duration(double seconds) {
  const auto total = std::llround(std::max(0.0, seconds));
  TextStream text;
  text << std::setfill('0');
  if (total >= 3600) text << total / 3600 << ':' << std::setw(2);
  text << total / 60 % 60 << ':' << std::setw(2) << total % 60;
  return text.str();
}

ProgressBar::ProgressBar(std::string stage, ProgressStyle style, std::ostream& out)
    : stage_(std::move(stage)), style_(style), out_(out) {}

ProgressBar::~ProgressBar() {
  clear();
}

void ProgressBar::clear() {
  if (on_screen_) out_ << "\r\x1b[K" << std::flush;
  on_screen_ = false;
}

void ProgressBar::update(double done) {
  if (style_ == ProgressStyle::none || !(done > 0.0)) return;
  done = std::min(done, 1.0);
  const auto now = Clock::now();
  const double elapsed_s = seconds_between(start_, now);
  // Early estimates are wild, so the first tenth of a second does not count.
  if (elapsed_s < redraw_s || elapsed_s / done < worth_showing_s) return;
  const double remaining_s = elapsed_s / done - elapsed_s;
  const std::string remaining = describe_duration(remaining_s);
  if (style_ == ProgressStyle::lines) {
    if (remaining_s > worth_a_line_s) print_line(done, remaining);
    return;
  }
  if (on_screen_ && seconds_between(drawn_, now) < redraw_s) return;
  drawn_ = now;
  draw_bar(done, remaining);
}

void ProgressBar::draw_bar(double done, const std::string& remaining) {
  TextStream numbers;
  numbers << std::setw(4) << static_cast<int>(100.0 * done) << " %, " << remaining << " left";
  const int label_width = 12, least_bar = 10;
  const auto room_beside = [&](std::size_t text) {
    return int(terminal_columns(STDERR_FILENO).value_or(usual_columns)) - label_width - int(text) - 4;
  };
  const std::string noted = numbers.str() + ", " + note_;
  const bool has_note = !note_.empty() && room_beside(noted.size()) >= least_bar;
  const std::string text = has_note ? noted : numbers.str();
  const int room = room_beside(text.size());
  const int width = std::clamp(room, 0, 50);
  out_ << "\r\x1b[K" << std::left << std::setw(label_width) << stage_ << std::right;
  if (width > 5) {
    const int filled = static_cast<int>(done * width);
    out_ << '[' << std::string(filled, '#') << std::string(width - filled, '.') << ']';
  }
  out_ << text << std::flush;
  on_screen_ = true;
}

void ProgressBar::print_line(double done, const std::string& remaining) {
  const int quarters = static_cast<int>(4.0 * done);
  if (quarters <= quarters_printed_ || quarters == 4) return;
  quarters_printed_ = quarters;
  out_ << stage_ << ": " << static_cast<int>(100.0 * done) << " %, about " << remaining << " left\n"
       << std::flush;
}

}  // namespace ionwell
