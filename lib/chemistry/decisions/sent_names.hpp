// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "chemistry/decisions/decisions.hpp"

namespace ionwell {

/// By atom of a residue that PDB2PQR gets under its parent's name: what the atom is called there; empty for
/// one that the parent does not have. An atom in the place of another one (SE for SD, S4 for O4) has that
/// one's name; of a residue that is replaced the places are those in the graph of bonds. O(atoms^2).
std::vector<Label> sent_names(std::span<const Atom> residue, const ResiduePlan& plan);

/// Whether it is the OXT of an amino acid alone: without it PDB2PQR gives up, and it does not give it back.
bool is_second_end(const ResiduePlan& plan, std::string_view name);

/// Whether an atom of a nucleotide is one of the phosphate at its 5' side, O5' not counted.
bool is_phosphate_atom(std::string_view name);

/// The same atoms' numbers in the plan's goal, or ResidueTemplate::no_atom.
std::vector<std::size_t> numbers_in_goal(std::span<const Atom> residue, const ResidueTemplate& goal);

}  // namespace ionwell
