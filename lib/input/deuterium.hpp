#pragma once

#include "core/structure.hpp"

namespace ionwell {

/// The structure with hydrogens for deuterium, which programs for charges do not know: of amino acids and
/// nucleotides under the hydrogens' names, DA as HA. One in the place of a hydrogen that is there, too, as
/// where both share a site, is left out. A warning says how many. O(atoms).
Structure with_hydrogens_for_deuterium(const Structure& structure);

}  // namespace ionwell
