// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/structure.hpp"

namespace ionwell {

/// Whether a chain ends between two atoms that follow each other: where the input says so, where the name of
/// the chain or the segment changes, or where residues begin to count anew.
bool chain_ends_between(const Atom& atom, const Atom& next);

}  // namespace ionwell
