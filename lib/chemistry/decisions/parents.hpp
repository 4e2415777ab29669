// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "chemistry/templates/residue_template.hpp"
#include "core/structure.hpp"

/// What a residue without a template was made from.
namespace ionwell {

/// The nucleotide of whose sugar and base a modified one has all heavy atoms; empty: none.
Label nucleotide_with_atoms(std::span<const Atom> atoms);

/// Whether the atoms have the bonds that atoms of their names have in the parent: none is far from such a
/// neighbour and near another atom instead, as in a pseudouridine, whose base is turned.
bool has_bonds_of(std::span<const Atom> atoms, const ResidueTemplate& parent);

}  // namespace ionwell
