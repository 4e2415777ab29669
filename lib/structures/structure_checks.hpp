#pragma once

#include "core/structure.hpp"

namespace ionwell {

/// Throws Error when all charges are zero, for there is no potential then. O(atoms).
void require_charges(const Structure& structure);

/// What charges of zero are: no error for salt at random places, and for ions that move.
enum class ZeroCharges { refused, warned };

/// Throws as require_charges does, unless that is a warning; adds a warning for rounded charges or else a net
/// charge that is not an integer, for atoms on top of each other, but not for Drude particles, and for
/// alternate locations. O(atoms).
void check_structure(Structure& structure, ZeroCharges zero_charges = ZeroCharges::refused);

}  // namespace ionwell
