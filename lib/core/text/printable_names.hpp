// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/structure.hpp"

namespace ionwell {

/// Names of atoms, residues, chains and segments, elements and insertion codes as files, scripts and
/// terminals can have them: each byte that is not printable ASCII becomes "_", with one warning for all.
/// O(atoms).
void make_names_printable(Structure& structure);

/// Throws Error, which names the atom, for a name with such a byte.
void check_printable_names(const Atom& atom);

}  // namespace ionwell
