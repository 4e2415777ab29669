// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "structures/writers/placed_system.hpp"
#include "structures/writers/written_system.hpp"

namespace ionwell {

/// The text of a PDB file: remarks, what is kept of the solute's own file, CRYST1, the solute with TER after
/// each chain, ions as HETATM records with TER after each. Residue numbers past 9,999 begin again at 0.
/// Throws Error for a position or a name that does not fit the columns, and for more ions than
/// most_numbered_ions().
std::string pdb_text(const PlacedSystem& system);

/// The same in pieces.
TextFormat pdb_format();

}  // namespace ionwell
