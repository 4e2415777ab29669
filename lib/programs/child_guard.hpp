// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <sys/types.h>

namespace ionwell {

/// A program to run, in words that need no memory of their own after fork.
struct GuardedProgram {
  char* const* words;        // name (with a path) and arguments, then a null
  char* const* environment;  // likewise
  const char* folder;        // where it runs
  const char* output_path;   // where its standard output and error go
  const char* left_folder;   // removed when the parent is gone; may be null
};

/// What the guard tells its parent.
struct GuardNote {
  enum Kind { started, not_started, ended };

  Kind kind;
  int value;  // the process, the errno, the status as of waitpid
};

/// In a child just forked: starts the program, tells how it ended, and sees to it that neither it nor
/// anything that it started, in whatever process group or session (Linux), outlives it, or the parent, which
/// kill -9 gives no time to tidy up. `parent` is a socket, whose other end the parent alone has: notes go
/// there, and the byte that comes has all ended, with the parent there to tidy up; that it closes says that
/// the parent is gone. Calls nothing that a child of a process with threads must not.
[[noreturn]] void guard_program(const GuardedProgram& program, int parent) noexcept;

}  // namespace ionwell
