// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

#include "core/structure.hpp"

namespace ionwell {

/// Whether a molecule needs its charges; where not, it may lack them.
enum class Mol2Charges { needed, optional };

/// A Tripos mol2 file: the atoms of its first molecule, with the charges of their ninth column [e] and no
/// radii; residues and their numbers from the substructures (ALA12 is residue 12, an ALA), chains where
/// @<TRIPOS>SUBSTRUCTURE has them; the cell of @<TRIPOS>CRYSIN. Elements are determined by the SYBYL atom
/// types (C.3, Cl), not by those of a force field. Throws Error with `path:line:`, also for a molecule
/// without charges that needs them. O(bytes). Tripos Mol2 File Format, SYBYL 7.1, 2005.
Structure read_mol2(std::string_view text, const std::string& path,
                    Mol2Charges charges = Mol2Charges::needed);

/// Whether a file that begins so is one.
bool is_mol2(std::string_view head);

}  // namespace ionwell
