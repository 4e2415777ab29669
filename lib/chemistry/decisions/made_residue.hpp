// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "chemistry/decisions/decisions.hpp"

namespace ionwell {

/// A modified residue with charges: those of AMBER's libraries, otherwise those that PDB2PQR gave to its
/// parent where both have the atom. What they miss to the residue's formal charge is spread over it.
/// In the order of the file; what was built is after. Hydrogens come from the file, or from PDB2PQR where
/// the parent has the same; the charge of others is that of the atom that they are bonded to, plus its own.
/// `answer`: the parent's atoms, those of the file under the names in `sent`. `library`: whether the charges
/// of AMBER's libraries fit the force field.
std::vector<Atom> made_residue(std::span<const Atom> residue, std::span<const Label> sent,
                               const ResiduePlan& plan, std::span<const Atom> answer, bool library);

/// Whether such a residue takes an atom that PDB2PQR built: where it has other bonds than in the parent, the
/// place is wrong.
bool takes_built_atom(const ResiduePlan& plan, std::string_view name);

/// Heavy atoms of such a residue that are not in the file, and that nothing builds.
std::vector<Label> unbuilt_atoms(std::span<const Atom> residue, const ResiduePlan& plan);

/// A cap with charges of AMBER's libraries.
std::vector<Atom> made_cap(std::span<const Atom> residue, const ResidueTemplate& cap);

/// Radius [A] of an element in AMBER's force fields, as PDB2PQR gives it (parm94's R*).
double amber_radius_A(std::string_view element);

}  // namespace ionwell
