// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <csignal>
#include <functional>
#include <string>
#include <vector>

#include "core/error.hpp"

namespace ionwell {

/// "interrupted", "stopped by SIGTERM": what a user reads of a run that a signal ends. A constant, so that
/// signal handlers may ask for it.
const char* ended_by(int signal) noexcept;

/// What there is to say of the files of such a run, as a rule.
constexpr const char* no_file_is_left = "; no unfinished file is left";

/// The user, or the system, asked this program to end; main ends by the same signal. `left` is what the
/// message says of files.
struct Interrupted : Error {
  explicit Interrupted(int number, const std::string& left = no_file_is_left)
      : Error(ended_by(number) + left), signal(number) {}

  int signal;
};

/// While it exists, signals that ask this program to end are noted and do not end it, so that what it started
/// and wrote can be tidied up first. Of one thread; within the life of one there may be others, which see the
/// same signals.
class SignalNotes {
 public:
  SignalNotes();
  ~SignalNotes();
  SignalNotes(const SignalNotes&) = delete;
  SignalNotes& operator=(const SignalNotes&) = delete;

  /// Throws Interrupted when there was one.
  void check() const;

  /// The last one; 0: none.
  int signal() const;

 private:
  static constexpr std::array signals = {SIGINT, SIGTERM, SIGHUP};
  std::array<struct sigaction, signals.size()> before_{};
};

/// The last signal that was noted, where there are SignalNotes; 0: none. For who waits for another process.
int noted_signal() noexcept;

struct ChildSettings {
  std::string folder;                    // where it runs
  bool removes_folder = false;           // when this program is killed
  std::string output_path;               // where its standard output and error go
  std::vector<std::string> environment;  // NAME=VALUE, for names that are not set already
  double timeout_s = 0.0;                // 0: none
};

/// How a program ended.
struct ChildResult {
  int exit_code = 0;
  int signal = 0;          // that ended it, when not 0
  bool timed_out = false;  // and was ended for it
  double seconds = 0.0;
};

/// Runs a program to its end, with `words` as its name (with a path) and arguments; `progress` gets the
/// seconds so far, now and then. It never outlives this one: it and all that it started are killed when it
/// ends, when the time is up, when a signal was noted (then throws Interrupted), and when this program is
/// gone, by kill -9 too. Throws Error when it cannot be started.
ChildResult run_child(const std::vector<std::string>& words, const ChildSettings& settings,
                      const SignalNotes& notes, const std::function<void(double seconds)>& progress);

/// The path of a program that the shell would find; empty when there is none.
std::string find_program(const std::string& name);

}  // namespace ionwell
