// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "structures/writers/placed_system.hpp"
#include "structures/writers/written_system.hpp"

namespace ionwell {

/// The text of a GROMACS .gro file: nm with three decimals, serials and residue numbers modulo 100,000, the
/// cell's vectors, or zeros where there is none. Throws Error for names of more than five characters and for
/// positions beyond the columns, and for a cell that GROMACS cannot turn.
std::string gro_text(const PlacedSystem& system);

/// The same in pieces.
TextFormat gro_format();

}  // namespace ionwell
