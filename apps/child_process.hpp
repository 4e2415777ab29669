#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/error.hpp"

namespace ionwell {

/// The user, or the system, asked this program to end; main ends by the same signal.
struct Interrupted : Error {
  explicit Interrupted(int number) : Error("interrupted"), signal(number) {}

  int signal;
};

struct ChildSettings {
  std::string folder;                    // where it runs
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
/// seconds so far, now and then. It never outlives this one: it and what it started are killed when the time
/// is up, when this program is asked to end (then throws Interrupted), and when this program is killed
/// (Linux). Throws Error when it cannot be started.
ChildResult run_child(const std::vector<std::string>& words, const ChildSettings& settings,
                      const std::function<void(double seconds)>& progress);

/// The path of a program that the shell would find; empty when there is none.
std::string find_program(const std::string& name);

}  // namespace ionwell
