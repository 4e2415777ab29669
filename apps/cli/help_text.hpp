// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <ostream>

#include "cli/command_description.hpp"

namespace ionwell {

/// The options that most people need, or all of them.
enum class HelpLength { common, all };

/// What --help or --help-all prints, as wide as the terminal.
void print_help(const CommandDescription& command, HelpLength length, std::ostream& out);

}  // namespace ionwell
