// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "structures/writers/placed_system.hpp"
#include "structures/writers/written_system.hpp"

namespace ionwell {

/// The text of an AMBER coordinate file (inpcrd, rst7): %12.7f, six to a line, and the cell. It has no names.
/// Throws Error for positions beyond the columns.
std::string rst7_text(const PlacedSystem& system);

/// The same in pieces.
TextFormat rst7_format();

}  // namespace ionwell
