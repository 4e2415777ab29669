// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

#include "structures/writers/placed_system.hpp"
#include "structures/writers/written_system.hpp"

namespace ionwell {

/// The text of a CHARMM coordinate file with extended columns (EXT): names of up to eight characters,
/// positions with ten decimals, segments (of atoms that have none, the chain, or MAIN).
std::string charmm_crd_text(const PlacedSystem& system);

/// The same in pieces.
TextFormat charmm_crd_format();

}  // namespace ionwell
