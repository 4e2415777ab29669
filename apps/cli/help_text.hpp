#pragma once

#include <ostream>

#include "cli/command_description.hpp"

namespace ionwell {

/// What --help prints, as wide as the terminal.
void print_help(const CommandDescription& command, std::ostream& out);

}  // namespace ionwell
