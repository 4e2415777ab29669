// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <pybind11/pybind11.h>

#include <chrono>
#include <exception>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "compute/observer.hpp"
#include "programs/child_process.hpp"

namespace ionwell::python {

/// Issues Python warnings for the warnings among these messages; notes are left out.
void tell_warnings(const std::vector<std::string>& warnings);

/// Follows a run for Python: progress goes to a function, Ctrl-C ends the run, warnings are kept. The
/// interpreter is free for other threads meanwhile.
class Following {
 public:
  /// `progress` is None, or is called as progress(stage, done), done from 0 to 1.
  explicit Following(pybind11::object progress);

  /// For the run; calls what Python has to do on the thread of the run.
  RunObserver observer();

  /// work() without the interpreter's lock. Throws what Python's function or signal handler raised, and
  /// what the run throws.
  template <typename Work>
  auto run(const Work& work) {
    try {
      auto result = without_lock(work);
      rethrow_what_python_raised();
      return result;
    } catch (const PythonRaised&) {
      rethrow_what_python_raised();
      throw;  // not reached: it was kept before it was thrown
    } catch (const Interrupted& interrupted) {
      let_python_handle(interrupted.signal);
      throw;  // its handler lets the program go on
    }
  }

  /// The same for what starts another program or solves an equation: of these there is one at a time.
  template <typename Work>
  auto run_alone(const Work& work) {
    return run([&] {
      const std::lock_guard lock(one_at_a_time());
      return work();
    });
  }

  /// Issues Python warnings for the warnings of the run, and of reading its files.
  void tell_warnings() const { python::tell_warnings(warnings_); }

 private:
  /// Something that is no std::exception, for no one but us is to catch it.
  struct PythonRaised {};

  template <typename Work>
  static auto without_lock(const Work& work) {
    const pybind11::gil_scoped_release release;
    return work();
  }

  void look(const std::string& stage, double done);
  void rethrow_what_python_raised();
  static void let_python_handle(int signal);
  static std::recursive_mutex& one_at_a_time();

  pybind11::object progress_;
  std::exception_ptr raised_;
  std::chrono::steady_clock::time_point looked_{};
  std::vector<std::string> warnings_;
};

}  // namespace ionwell::python
