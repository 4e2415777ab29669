// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "chemistry/decisions/decisions.hpp"

namespace ionwell {

/// Of two residues of chains in one place only one may act, as PDB2PQR finds no end where atoms lie on each
/// other: where both would, the second is refused, or removed where residues may be missing. One that does
/// not act gets no charges.
void decide_shared_places(std::span<const Atom> atoms, const Chemistry& chemistry,
                          const ChemistryChoices& choices, const ResidueUse& use,
                          ChemistryDecisions& decisions);

}  // namespace ionwell
