// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

namespace ionwell::test {

struct ProgramResult {
  int exit_code = -1;  // -1: ended by a signal
  int signal = 0;
  std::string out, err;
};

/// A program that was started; it is ended after two minutes, for one that hangs must fail its test and not
/// stop all of them.
class Child {
 public:
  /// `prepare` is called in the new process, before it becomes the program words[0]; it may only make system
  /// calls.
  Child(const std::vector<std::string>& words, const std::function<void()>& prepare);
  ~Child();  // kills it, unless it was waited for
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  void send(int signal) const;

  /// How it ended; without what it wrote.
  ProgramResult wait();

 private:
  pid_t process_ = -1;
};

}  // namespace ionwell::test
