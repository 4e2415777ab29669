// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

#include "core/structure.hpp"

namespace ionwell {

/// Whether the residue is an amino acid or a nucleotide, under the names that residue_kind knows.
bool is_polymer_residue(std::string_view residue);

/// The element of a solute's atom, in upper case: as its file tells it, otherwise told from its name and
/// residue: CA is carbon in an amino acid and calcium in a residue CA or CAL. Empty when the name tells none
/// (a lone pair, a dummy). It may be a part of the atom.
std::string_view element_of(const Atom& atom);

}  // namespace ionwell
