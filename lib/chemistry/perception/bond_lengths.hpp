// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

#include "core/label.hpp"
#include "core/structure.hpp"

namespace ionwell {

/// Covalent radius (B. Cordero et al., Dalton Trans. 2832, 2008, table 2; low spin); 1.5 A for other
/// elements.
double covalent_radius_A(std::string_view element);

/// Whether atoms of these elements bind as metals do, with ligands around them.
bool is_metal(std::string_view element);

/// The longest bond between two elements: what their covalent radii add up to, and 0.3 A (structures at 3 A
/// are off by that); hydrogens do not bind to each other.
double longest_bond_A(std::string_view first, std::string_view second);

/// No metal binds a nitrogen that is farther away, though large ions are near some.
constexpr double farthest_nitrogen_A = 2.75;

/// Not those of the alkali and alkaline earth metals, which sulfur hardly binds.
bool takes_proton_of_thiol(std::string_view metal);

/// The longest distance at which an atom is a ligand of a metal: the radii of the ions in crystals (R. D.
/// Shannon, Acta Cryst. A32:751, 1976) and 0.4 A. Sulfur up to 2.9 A and nitrogen up to 2.75 A on zinc,
/// cadmium and their like, as refined structures have them: a hydrogen would lie on the metal. 0 for what is
/// no ligand.
double longest_coordination_A(std::string_view metal, std::string_view ligand);

/// By the file, or else by the name: of a residue of one atom that name, and otherwise its first letter.
ElementSymbol element_by_name(const Atom& atom, bool is_alone);

}  // namespace ionwell
