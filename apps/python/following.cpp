// SPDX-License-Identifier: BSD-3-Clause
#include "python/following.hpp"

#include <unistd.h>

#include <atomic>
#include <csignal>

#include "core/error.hpp"
#include "core/text/note.hpp"
#include "core/text/quoting.hpp"
#include "python/errors.hpp"

namespace ionwell::python {
namespace py = pybind11;
namespace {

// Often enough for the eye and for Ctrl-C, and too seldom to be felt.
constexpr std::chrono::milliseconds between_looks{50};

void check_signals() {
  if (PyErr_CheckSignals() != 0) throw py::error_already_set();
}

}  // namespace

Following::Following(py::object progress) : progress_(std::move(progress)) {
  if (!progress_.is_none() && PyCallable_Check(progress_.ptr()) == 0)
    fail<UsageError>("progress is ", std::string(py::repr(progress_)),
                     "; it must be None or a function of the name of a stage and the fraction that is done");
}

RunObserver Following::observer() {
  return {.stage = [this](const std::string& name, const std::string&) -> Progress {
            looked_ = {};
            look(name, 0.0);
            return [this, name](double done) { look(name, done); };
          },
          .warning = [this](const std::string& text) { warnings_.push_back(text); }};
}

void Following::look(const std::string& stage, double done) {
  const auto now = std::chrono::steady_clock::now();
  if (now - looked_ < between_looks && done < 1.0) return;
  looked_ = now;
  const py::gil_scoped_acquire acquire;
  try {
    check_signals();
    if (!progress_.is_none()) progress_(stage, done);
  } catch (const py::error_already_set&) {
    raised_ = std::current_exception();
    throw PythonRaised{};
  }
}

void Following::rethrow_what_python_raised() {
  if (raised_) std::rethrow_exception(std::exchange(raised_, nullptr));
}

void Following::let_python_handle(int signal) {
  std::raise(signal);
  check_signals();
}

std::recursive_mutex& Following::one_at_a_time() {
  struct Lock {
    pid_t process;
    std::recursive_mutex mutex;  // what progress calls may run something itself
  };
  static std::atomic<Lock*> lock{new Lock{getpid(), {}}};
  Lock* known = lock;
  if (known->process == getpid()) return known->mutex;
  // A process made by fork: a thread that has it was not copied, and will not give it back.
  Lock* const own = new Lock{getpid(), {}};
  if (lock.compare_exchange_strong(known, own)) return own->mutex;
  delete own;  // another thread was first
  return known->mutex;
}

void tell_warnings(const std::vector<std::string>& warnings) {
  const py::object kind = py::module_::import("ionwell.errors").attr("IonwellWarning");
  const py::object warn = py::module_::import("warnings").attr("warn");
  constexpr int caller_of_the_module = 2;
  for (const std::string& text : warnings_of(warnings))
    warn(one_line(in_words_of_python(text)), kind, caller_of_the_module);
}

}  // namespace ionwell::python
