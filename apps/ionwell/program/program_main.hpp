// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "cli/man_page.hpp"
#include "compute/backend.hpp"
#include "ionwell/last_resort.hpp"

namespace ionwell {

/// A program with the manners of all of them.
struct Program {
  const char* name;  // messages on standard error begin with it
  /// Does what the words say, on these backends, and gives the exit code; errors are thrown.
  int (*run)(const std::vector<std::string>& words, std::ostream& out, const Backends& backends);
  const char* without_memory = out_of_memory;  // the message then
};

/// What its exit codes (ExitCode) mean, for help.
std::span<const ExitCodeText> exit_code_texts();

/// The body of main: runs the program, shows what it throws in one message, with the exit code that goes with
/// it (ExitCode), and has a signal or a lack of memory leave no unfinished file. `ranks` can share the run,
/// null if there are none.
int program_main(const Program& program, int argc, char** argv, RankGroup* ranks);

}  // namespace ionwell
