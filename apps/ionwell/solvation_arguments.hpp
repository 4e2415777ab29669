// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <optional>
#include <string>

#include "cli/command_line.hpp"
#include "jobs/box/solvation_request.hpp"

/// The options of a cell and its water, as the command line describes them.
namespace ionwell {

/// --cell; `usual`: the cell without it.
void add_cell_option(OptionGroup& group, std::optional<CellParameters>& cell, const std::string& usual);

/// The cell: its shape, and how large it is.
void add_cell_options(OptionGroup& group, SolvationRequest& request);

/// The water, and where there is none.
void add_water_options(OptionGroup& group, OptionGroup& tuning, SolvationRequest& request);

}  // namespace ionwell
