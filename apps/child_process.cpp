#include "child_process.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/prctl.h>
#endif

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <thread>

namespace ionwell {
namespace {

std::atomic<int> asked_to_end = 0;  // the signal

/// In the child: nothing but system calls until exec. Does not return; a failure goes to `report` as its
/// errno.
[[noreturn]] void become(char* const* words, char* const* environment, const ChildSettings& settings,
                         int report, pid_t parent) {
  setpgid(0, 0);  // a group of its own, to be killed with all that it starts
#if defined(__linux__)
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(127);  // it was gone before the line above
#else
  static_cast<void>(parent);
#endif
  const int output = open(settings.output_path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0666);
  const int input = open("/dev/null", O_RDONLY);
  if (output >= 0 && input >= 0 && dup2(input, STDIN_FILENO) >= 0 && dup2(output, STDOUT_FILENO) >= 0 &&
      dup2(output, STDERR_FILENO) >= 0 && chdir(settings.folder.c_str()) == 0) {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGXFSZ}) std::signal(signal, SIG_DFL);
    execve(words[0], words, environment);
  }
  const int reason = errno;
  if (write(report, &reason, sizeof reason) < 0) _exit(126);
  _exit(127);
}

/// The errno that the child reported; 0 when it became the program, which closes the pipe.
int reason_from(int pipe_end) {
  int reason = 0;
  ssize_t count;
  do count = read(pipe_end, &reason, sizeof reason);
  while (count < 0 && errno == EINTR);
  return count == ssize_t(sizeof reason) ? reason : 0;
}

class Child {
 public:
  explicit Child(pid_t process) : process_(process) {}
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() { end(); }

  /// True when it has ended, and then `status` is how.
  bool has_ended(int& status) {
    const pid_t result = waitpid(process_, &status, WNOHANG);
    if (result == 0 || (result < 0 && errno == EINTR)) return false;
    kill(-process_, SIGKILL);  // whatever it left behind
    process_ = -1;
    return true;
  }

  void end() {
    if (process_ <= 0) return;
    kill(-process_, SIGKILL);
    kill(process_, SIGKILL);  // should it not have made its group yet
    while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
    }
    process_ = -1;
  }

 private:
  pid_t process_;
};

}  // namespace

const char* ended_by(int signal) noexcept {
  switch (signal) {
    case SIGINT:
      return "interrupted";
    case SIGTERM:
      return "ended by SIGTERM";
    case SIGHUP:
      return "ended by SIGHUP, because its terminal is gone";
    case SIGXCPU:
      return "ended by SIGXCPU, because its processor time is used up (ulimit -t)";
    default:
      return "ended by a signal";
  }
}

SignalNotes::SignalNotes() {
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
  for (std::size_t n = 0; n < signals.size(); ++n) sigaction(signals[n], &before_[n], nullptr);
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
  int ends[2];
  if (pipe(ends) != 0)
    fail("cannot start ", words[0], ": ", std::strerror(errno), "; are too many files open?");
  for (const int end : ends) fcntl(end, F_SETFD, FD_CLOEXEC);
  std::signal(SIGCHLD, SIG_DFL);  // to whoever ignores it the kernel does not tell how a child ended
  const auto start = Clock::now();
  const pid_t parent = getpid(), process = fork();
  if (process == 0) become(arguments.data(), environment.data(), settings, ends[1], parent);
  close(ends[1]);
  if (process < 0) {
    const int reason = errno;
    close(ends[0]);
    fail("cannot start ", words[0], ": ", std::strerror(reason), "; is there enough memory?");
  }
  Child child(process);
  const int reason = reason_from(ends[0]);
  close(ends[0]);
  if (reason != 0) fail("cannot start ", words[0], ": ", std::strerror(reason), "; check the program");

  constexpr auto look_again = std::chrono::milliseconds(5);
  ChildResult result;
  for (;;) {
    int status = 0;
    const bool ended = child.has_ended(status);
    result.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    if (ended) {
      if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
      if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
      return result;
    }
    notes.check();  // what it throws ends the child
    if (settings.timeout_s > 0.0 && result.seconds > settings.timeout_s) {
      child.end();
      result.timed_out = true;
      return result;
    }
    progress(result.seconds);
    std::this_thread::sleep_for(look_again);
  }
}

std::string find_program(const std::string& name) {
  if (name.find('/') != std::string::npos) return access(name.c_str(), X_OK) == 0 ? name : std::string();
  const char* const path = std::getenv("PATH");
  const std::string folders = path != nullptr ? path : "/usr/local/bin:/usr/bin:/bin";
  for (std::size_t at = 0; at <= folders.size();) {
    const std::size_t end = std::min(folders.find(':', at), folders.size());
    const std::string folder = folders.substr(at, end - at);
    std::string candidate = (folder.empty() ? "." : folder) + '/' + name;
    if (access(candidate.c_str(), X_OK) == 0) return candidate;
    at = end + 1;
  }
  return {};
}

}  // namespace ionwell
