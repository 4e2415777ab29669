// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cli/command_line.hpp"
#include "jobs/box/box_request.hpp"

/// The options of ions that take the places of waters, as the command line describes them.
namespace ionwell {

/// How salt is counted and placed, for commands that add it.
void add_salt_options(OptionGroup& group, OptionGroup& tuning, BoxRequest& request);

/// Which waters ions replace.
void add_box_options(OptionGroup& group, OptionGroup& tuning, BoxRequest& request);

}  // namespace ionwell
