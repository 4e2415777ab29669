// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <ostream>

#include "cli/command_description.hpp"

namespace ionwell {

/// The keys of --tune, each with the commands that have it.
void print_tuning(std::ostream& out);

/// The same for a manual page.
CommandDescription described_tuning();

/// `ionwell help chemistry`: the options that decide about an entry of the PDB.
void print_chemistry_options(std::ostream& out);

/// The same for a manual page.
CommandDescription described_chemistry();

}  // namespace ionwell
