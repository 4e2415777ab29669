// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "cli/command_description.hpp"
#include "compute/backend.hpp"

namespace ionwell {

/// A command of the program.
struct Command {
  std::string name;
  const char* summary;
  /// Takes the words after the command's name, and what it can compute on; gives the exit code.
  int (*run)(const std::vector<std::string>& arguments, std::ostream& out, const Backends& backends);
};

/// All of them, in the order of help.
std::span<const Command> all_commands();

/// With its summary.
CommandDescription described(const Command& command);

/// 'ionwell help', which is written as a command and takes the names of the others.
CommandDescription described_help();

/// The program itself, for its manual page: what it is and how it is called.
CommandDescription described_program();

}  // namespace ionwell
