// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <ostream>

#include "ionwell/program/command_list.hpp"

namespace ionwell {

/// The options of a command, or of all where it is null, as JSON: what stubs of Python and other front ends
/// are made of. Keys of --tune are rows as options are.
void print_option_table(std::ostream& out, const Command* command);

/// Options that several commands share and `ionwell help WORD` describes.
enum class SharedOptions { tuning, chemistry };

/// Each once, with the commands that have it, as JSON.
void print_shared_option_table(std::ostream& out, SharedOptions which);

}  // namespace ionwell
