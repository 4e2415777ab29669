// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "structures/writers/placed_system.hpp"
#include "structures/writers/written_system.hpp"

namespace ionwell {

/// The text of a PQR file between blanks, as pdb2pqr --whitespace writes it. Positions, charges and radii
/// read back as the same doubles.
std::string pqr_text(const PlacedSystem& system);

/// The same in pieces.
TextFormat pqr_format();

}  // namespace ionwell
