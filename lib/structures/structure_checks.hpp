#pragma once

#include "core/structure.hpp"

namespace ionwell {

/// Throws Error when all charges are zero; adds a warning for rounded charges or else a net charge that is
/// not an integer, for atoms on top of each other and for alternate locations. O(atoms).
void check_structure(Structure& structure);

}  // namespace ionwell
