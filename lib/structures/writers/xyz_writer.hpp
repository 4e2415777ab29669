// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "structures/writers/placed_system.hpp"
#include "structures/writers/written_system.hpp"

namespace ionwell {

/// The text of an XYZ file: elements and positions that read back as the same doubles.
std::string xyz_text(const PlacedSystem& system);

/// The same in pieces.
TextFormat xyz_format();

}  // namespace ionwell
