// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "cli/command_description.hpp"

/// Scripts that have a shell complete the words of a command line: commands, options, the words that an
/// option takes, and the names of files where one is wanted.
namespace ionwell {

/// The shells that there are scripts for: bash, zsh, fish.
const std::vector<std::string>& completed_shells();

struct CompletedProgram {
  std::string name;
  std::vector<CommandDescription> commands;  // one without a name: the program is one command
};

/// The script for `shell`, one of completed_shells; UsageError for another.
void print_completion(std::ostream& out, const std::string& shell, const CompletedProgram& program);

}  // namespace ionwell
