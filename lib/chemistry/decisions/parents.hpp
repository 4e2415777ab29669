#pragma once

#include <span>

#include "chemistry/templates/residue_template.hpp"
#include "core/structure.hpp"

/// What a residue without a template was made from.
namespace ionwell {

/// The nucleotide of whose sugar and base a modified one has all heavy atoms; empty: none.
Label nucleotide_with_atoms(std::span<const Atom> atoms);

/// Whether heavy atoms of the names that are bonded in the parent are as near as bonds in the residue. The
/// base of a pseudouridine is turned: its atoms have the names of others.
bool has_bonds_of(std::span<const Atom> atoms, const ResidueTemplate& parent);

}  // namespace ionwell
