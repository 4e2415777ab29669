// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <vector>

#include "chemistry/decisions/decisions.hpp"

namespace ionwell {

/// Whether a residue of a chain has fewer than three atoms besides hydrogens and its phosphate: PDB2PQR
/// builds nothing on them.
bool has_too_few_atoms(std::span<const Atom> residue);

/// The heavy atoms that a residue lacks and that nothing builds, for too few are there; empty: it can be
/// built, or has no charges for another reason.
std::vector<Label> missing_to_build(std::span<const Atom> atoms, const PerceivedResidue& residue,
                                    const ResiduePlan& plan);

/// "lacks CB CG and 2 more, which nothing builds".
std::string too_few_atoms_text(const std::vector<Label>& lacks);

}  // namespace ionwell
