// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "input/entry_part.hpp"

namespace ionwell {

/// Hydrogens for deuterium, which programs for charges do not know: of amino acids and nucleotides under the
/// hydrogens' names, DA as HA. One in the place of a hydrogen that is there, too, as where both share a site,
/// is left out. A warning says how many. O(atoms).
void replace_deuterium(EntryPart& entry);

}  // namespace ionwell
