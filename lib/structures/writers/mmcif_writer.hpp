// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "structures/writers/placed_system.hpp"
#include "structures/writers/written_system.hpp"

namespace ionwell {

/// The text of an mmCIF file: one loop _atom_site without limits of names and numbers, and the cell. Label
/// and author columns have the same names; an entity for all.
std::string mmcif_text(const PlacedSystem& system);

/// The same in pieces.
TextFormat mmcif_format();

}  // namespace ionwell
