// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "core/structure.hpp"
#include "input/chemistry_row.hpp"

namespace ionwell {

/// Takes off the waters of an entry that lie on one of `others`, or on a water before them: positions of
/// which a crystal has one or the other. A row says so, and names the first. O(atoms).
void leave_out_overlapping(std::vector<Atom>& waters, std::span<const Atom> others,
                           std::vector<ChemistryRow>& rows);

}  // namespace ionwell
