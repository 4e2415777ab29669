// SPDX-License-Identifier: BSD-3-Clause
#include "support/child.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <stdexcept>

namespace ionwell::test {

Child::Child(const std::vector<std::string>& words, const std::function<void()>& prepare) {
  constexpr unsigned longest_run_s = 120;
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  process_ = fork();
  if (process_ < 0) throw std::runtime_error("cannot start " + words.at(0));
  if (process_ > 0) return;
  prepare();
  alarm(longest_run_s);
  execv(arguments[0], arguments.data());
  _exit(127);
}

Child::~Child() {
  if (process_ < 0) return;
  kill(process_, SIGKILL);
  waitpid(process_, nullptr, 0);
}

void Child::send(int signal) const {
  kill(process_, signal);
}

ProgramResult Child::wait() {
  int status = 0;
  waitpid(process_, &status, 0);
  process_ = -1;
  ProgramResult result;
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  return result;
}

}  // namespace ionwell::test
