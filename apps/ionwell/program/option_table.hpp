#pragma once

#include <ostream>

#include "ionwell/program/command_list.hpp"

namespace ionwell {

/// The options of a command, or of all where it is null, as JSON: what stubs of Python and other front ends
/// are made of. Keys of --tune are rows as options are.
void print_option_table(std::ostream& out, const Command* command);

}  // namespace ionwell
