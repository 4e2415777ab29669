// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "chemistry/decisions/decisions.hpp"

namespace ionwell {

/// Whether a metal is in the system: neither ignored nor left out. Not of --solute it still binds.
bool is_metal_there(const MetalSite& site, const Chemistry& chemistry, const ChemistryChoices& choices,
                    const ResidueUse& use);

/// By residue: why a cysteine gets its proton back, since all that its sulfur is bound to (metals, another
/// cysteine, a lipid) is ignored or left out; empty for others.
std::vector<std::string> reasons_to_free(std::span<const Atom> atoms, const Chemistry& chemistry,
                                         const ChemistryChoices& choices, const ResidueUse& use);

/// Says of cysteines near metals that they are deprotonated, and chooses the tautomer of histidines there,
/// unless the file has it. Metals that do not act decide nothing.
void decide_metals(std::span<const Atom> atoms, const Chemistry& chemistry, const ChemistryChoices& choices,
                   const ResidueUse& use, ChemistryDecisions& decisions);

}  // namespace ionwell
