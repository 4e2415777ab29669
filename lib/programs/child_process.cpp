// SPDX-License-Identifier: BSD-3-Clause
#include "programs/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "programs/child_guard.hpp"

namespace ionwell {
namespace {

std::atomic<int> asked_to_end = 0;  // the signal
int notes_in_use = 0;

/// A program, and the guard that ends all of it.
class Child {
 public:
  explicit Child(const GuardedProgram& program) : name_(program.words[0]) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0)
      fail("cannot start ", name_, ": ", std::strerror(errno), "; are too many files open?");
    guard_ = fork();
    if (guard_ == 0) guard_program(program, ends[1]);
    const int reason = errno;
    close(ends[1]);
    if (guard_ < 0) {
      close(ends[0]);
      fail("cannot start ", name_, ": ", std::strerror(reason), "; is there enough memory?");
    }
    socket_ = ends[0];
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  /// Ends it, unless it has ended, with all that it started; returns when they are gone.
  ~Child() {
    constexpr char order = 'e';
    while (send(socket_, &order, 1, MSG_NOSIGNAL) < 0 && errno == EINTR) {
    }
    int status = 0;
    while (waitpid(guard_, &status, 0) < 0 && errno == EINTR) {
    }
    close(socket_);
    if (WIFSIGNALED(status) && process_ > 0) kill(-process_, SIGKILL);  // the guard could not do it
  }

  /// Waits for `wait_ms` at most. True when it has ended, and then `status` is how. Throws Error when it was
  /// not started.
  bool has_ended(int wait_ms, int& status) {
    pollfd ready{socket_, POLLIN, 0};
    if (poll(&ready, 1, wait_ms) <= 0) return false;
    GuardNote note{};
    const ssize_t count = recv(socket_, &note, sizeof note, 0);
    if (count < 0 && errno == EINTR) return false;
    if (count != ssize_t(sizeof note))
      fail(name_, " was stopped because the process that monitors it was stopped; start again");
    if (note.kind == GuardNote::started) process_ = note.value;
    if (note.kind == GuardNote::not_started)
      fail("cannot start ", name_, ": ", std::strerror(note.value), "; check the program");
    status = note.value;
    return note.kind == GuardNote::ended;
  }

 private:
  std::string name_;
  pid_t guard_ = -1, process_ = -1;
  int socket_ = -1;
};

/// Folders may be "executed", too.
bool is_program(const std::string& path) {
  std::error_code none;
  return std::filesystem::is_regular_file(path, none) && access(path.c_str(), X_OK) == 0;
}

}  // namespace

const char* ended_by(int signal) noexcept {
  switch (signal) {
    case SIGINT:
      return "interrupted";
    case SIGTERM:
      return "stopped by SIGTERM";
    case SIGHUP:
      return "stopped by SIGHUP, because its terminal was closed";
    case SIGXCPU:
      return "stopped by SIGXCPU, because its processor time is used up (ulimit -t)";
    default:
      return "stopped by a signal";
  }
}

SignalNotes::SignalNotes() {
  if (notes_in_use++ > 0) return;
  asked_to_end = 0;
  for (std::size_t n = 0; n < signals.size(); ++n) {
    sigaction(signals[n], nullptr, &before_[n]);
    if (before_[n].sa_handler == SIG_IGN) continue;  // as nohup asked
    struct sigaction note {};
    note.sa_handler = [](int signal) { asked_to_end = signal; };
    sigaction(signals[n], &note, nullptr);
  }
}

SignalNotes::~SignalNotes() {
  if (--notes_in_use > 0) return;
  for (std::size_t n = 0; n < signals.size(); ++n) sigaction(signals[n], &before_[n], nullptr);
}

int noted_signal() noexcept {
  return notes_in_use > 0 ? asked_to_end.load() : 0;
}

int SignalNotes::signal() const {
  return asked_to_end;
}

void SignalNotes::check() const {
  if (asked_to_end != 0) throw Interrupted(asked_to_end);
}

ChildResult run_child(const std::vector<std::string>& words, const ChildSettings& settings,
                      const SignalNotes& notes, const std::function<void(double)>& progress) {
  using Clock = std::chrono::steady_clock;
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  std::vector<char*> environment;
  for (char** variable = environ; *variable != nullptr; ++variable) environment.push_back(*variable);
  for (const std::string& variable : settings.environment)
    if (std::getenv(variable.substr(0, variable.find('=')).c_str()) == nullptr)
      environment.push_back(const_cast<char*>(variable.c_str()));
  environment.push_back(nullptr);
  const auto start = Clock::now();
  Child child({.words = arguments.data(),
               .environment = environment.data(),
               .folder = settings.folder.c_str(),
               .output_path = settings.output_path.c_str(),
               .left_folder = settings.removes_folder ? settings.folder.c_str() : nullptr});

  constexpr int look_again_ms = 5;
  ChildResult result;
  for (;;) {
    int status = 0;
    const bool ended = child.has_ended(look_again_ms, status);
    result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    if (ended) {
      if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
      if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
      return result;
    }
    notes.check();  // what it throws ends the child
    if (settings.timeout_s > 0.0 && result.seconds > settings.timeout_s) {
      result.timed_out = true;
      return result;
    }
    progress(result.seconds);
  }
}

std::string find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return is_program(name) ? name : std::string();
  const char* const path = std::getenv("PATH");
  const std::string folders = path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin";
  for (std::size_t at = 0; at <= folders.size();) {
    const std::size_t end = std::min(folders.find(':', at), folders.size());
    const std::string folder = folders.substr(at, end - at);
    std::string candidate = (folder.empty() ? "." : folder) + '/' + name;
    if (is_program(candidate)) return candidate;
    at = end + 1;
  }
  return {};
}

}  // namespace ionwell
