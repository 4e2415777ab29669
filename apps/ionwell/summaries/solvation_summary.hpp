// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <ostream>
#include <string>

#include "solvation/solvate.hpp"

/// What the terminal shows of a cell of water.
namespace ionwell {

/// With so many decimals, as a table has them.
std::string fixed_text(double number, int decimals);

/// The cell's shape and size.
void print_solvation_cell(std::ostream& out, const SolvationOptions& options, const Solvation& solvation);

/// The distance to the own image, the water added and what was left out.
void print_solvation(std::ostream& out, const Solvation& solvation);

}  // namespace ionwell
