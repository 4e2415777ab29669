// SPDX-License-Identifier: BSD-3-Clause
#include "programs/child_guard.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__linux__)
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <ctime>

namespace ionwell {
namespace {

void tell(int parent, GuardNote::Kind kind, int value) noexcept {
  const GuardNote note{kind, value};
  while (send(parent, &note, sizeof note, MSG_NOSIGNAL) < 0 && errno == EINTR) {
  }
}

/// In the program's own process, until exec.
[[noreturn]] void become(const GuardedProgram& program, int parent, pid_t guard) noexcept {
  setpgid(0, 0);  // a group of its own: Ctrl-C at the terminal is not for it
#if defined(__linux__)
  // Should the guard be killed as well. It has one thread, so this is not the end of some thread of many.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != guard) _exit(127);  // it was gone before the line above
#else
  static_cast<void>(guard);
#endif
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXCPU, SIGXFSZ, SIGCHLD})
    std::signal(signal, SIG_DFL);
  const int output = open(program.output_path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  const int input = open("/dev/null", O_RDONLY);
  if (output >= 0 && input >= 0 && dup2(input, STDIN_FILENO) >= 0 && dup2(output, STDOUT_FILENO) >= 0 &&
      dup2(output, STDERR_FILENO) >= 0 && chdir(program.folder) == 0)
    execve(program.words[0], program.words, program.environment);
  tell(parent, GuardNote::not_started, errno);
  _exit(127);
}

#if defined(__linux__)
/// The parent of a process, by /proc; 0 when that cannot be read.
pid_t parent_of(const char* process) noexcept {
  char path[64] = "/proc/";
  std::strncat(path, process, 32);
  std::strcat(path, "/stat");
  char text[512];
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  const ssize_t size = file < 0 ? 0 : read(file, text, sizeof text - 1);
  if (file >= 0) close(file);
  text[std::max<ssize_t>(size, 0)] = '\0';
  const char* at = std::strrchr(text, ')');  // the name may have anything in it; then come state and parent
  if (at == nullptr || std::strlen(at) < 5) return 0;
  pid_t parent = 0;
  for (at += 4; *at >= '0' && *at <= '9'; ++at) parent = 10 * parent + (*at - '0');
  return parent;
}

/// Kills every child of this process that /proc shows. Those of a child that ends become this one's, so a few
/// rounds reach them all.
void kill_children() noexcept {
  struct Entry {  // as the kernel writes it
    std::uint64_t inode;
    std::int64_t offset;
    std::uint16_t length;
    unsigned char type;
    char name[1];
  };
  const pid_t self = getpid();
  const int folder = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return;
  alignas(Entry) char entries[4096];
  for (long size; (size = syscall(SYS_getdents64, folder, entries, sizeof entries)) > 0;)
    for (long at = 0; at < size;) {
      const Entry* const entry = reinterpret_cast<const Entry*>(entries + at);
      at += entry->length;
      const char* const name = entry->name;
      if (*name < '1' || *name > '9' || parent_of(name) != self) continue;
      pid_t process = 0;
      for (const char* digit = name; *digit != '\0'; ++digit) process = 10 * process + (*digit - '0');
      kill(process, SIGKILL);
    }
  close(folder);
}
#endif

/// Kills the program, what it started, and what that started, and waits until they are gone. Not for ever:
/// the system may keep a process that waits for a dead disk.
void end_all(pid_t program) noexcept {
  constexpr int most_rounds = 2000;
  constexpr timespec pause{0, 1'000'000};
  kill(-program, SIGKILL);
  for (int round = 0; round < most_rounds; ++round) {
#if defined(__linux__)
    kill_children();
#endif
    pid_t ended;
    while ((ended = waitpid(-1, nullptr, WNOHANG)) > 0) {
    }
    if (ended < 0 && errno != EINTR) return;  // there are no children
    nanosleep(&pause, nullptr);
  }
}

/// Descriptors that came with the fork: locks on temporary files, a GPU.
void close_all_but(int kept) noexcept {
#if defined(SYS_close_range)
  constexpr unsigned first = STDERR_FILENO + 1;
  if (unsigned(kept) > first) syscall(SYS_close_range, first, unsigned(kept) - 1, 0U);
  syscall(SYS_close_range, unsigned(kept) + 1, ~0U, 0U);
#else
  static_cast<void>(kept);
#endif
}

/// True when the program has ended, and then `status` is how. Also buries what it left to this process.
bool has_ended(pid_t program, int& status) noexcept {
  for (;;) {
    int how = 0;
    const pid_t ended = waitpid(-1, &how, WNOHANG);
    if (ended < 0 && errno == EINTR) continue;
    if (ended <= 0) return false;
    if (ended != program) continue;
    status = how;
    return true;
  }
}

[[noreturn]] void remove_folder(const char* path) noexcept {
  for (const char* const program : {"/bin/rm", "/usr/bin/rm"})
    execl(program, "rm", "-rf", "--", path, nullptr);
  _exit(0);  // the next run finds it
}

}  // namespace

[[noreturn]] void guard_program(const GuardedProgram& program, int parent) noexcept {
  setpgid(0, 0);  // what is sent to the parent's group is for the parent, who gives orders then
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXCPU, SIGXFSZ}) std::signal(signal, SIG_IGN);
  close_all_but(parent);
#if defined(__linux__)
  prctl(PR_SET_NAME, "solver-guard");  // killall by the parent's name leaves it be
  prctl(PR_SET_CHILD_SUBREAPER, 1);    // what leaves the program's group or session stays a child of this one
#endif
  // SIGCHLD comes only while the guard waits, so that none is missed between looking and waiting.
  sigset_t while_waiting, children;
  sigemptyset(&children);
  sigaddset(&children, SIGCHLD);
  sigprocmask(SIG_BLOCK, &children, &while_waiting);
  sigdelset(&while_waiting, SIGCHLD);
  std::signal(SIGCHLD, [](int) {});

  const pid_t guard = getpid(), process = fork();
  if (process == 0) become(program, parent, guard);
  if (process < 0) {
    tell(parent, GuardNote::not_started, errno);
    _exit(1);
  }
  setpgid(process, process);  // whichever of the two comes first
  tell(parent, GuardNote::started, process);
  for (;;) {
    if (int status = 0; has_ended(process, status)) {
      end_all(process);  // whatever it left behind
      tell(parent, GuardNote::ended, status);
      _exit(0);
    }
    pollfd order{parent, POLLIN, 0};
    if (ppoll(&order, 1, nullptr, &while_waiting) <= 0) continue;
    char byte = 0;
    const ssize_t count = recv(parent, &byte, 1, 0);
    if (count < 0) continue;
    end_all(process);
    if (count == 0 && program.left_folder != nullptr) remove_folder(program.left_folder);
    _exit(0);
  }
}

}  // namespace ionwell
