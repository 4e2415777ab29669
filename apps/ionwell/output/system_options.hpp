// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cli/command_line.hpp"
#include "output/system_output.hpp"

/// The options of a system's file or folder, as the command line describes them.
namespace ionwell {

/// --for and --pdb-serials.
void add_engine_option(OptionGroup& group, SystemOutput& output);
void add_serials_option(OptionGroup& group, SystemOutput& output);

/// --ion-names, and --water-names.
void add_ion_names_option(OptionGroup& group, SystemOutput& output);
void add_water_names_option(OptionGroup& group, SystemOutput& output);

}  // namespace ionwell
