#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "chemistry/decisions/decisions.hpp"

namespace ionwell {

/// Whether a metal is in the system: neither ignored nor left out. Not of --solute it still binds.
bool is_metal_there(const MetalSite& site, const Chemistry& chemistry, const ChemistryChoices& choices,
                    const ResidueUse& use);

/// By residue: whether it is a cysteine whose sulfur is near metals none of which acts, since they are
/// ignored or left out.
std::vector<std::uint8_t> cysteines_without_metal(std::span<const Atom> atoms, const Chemistry& chemistry,
                                                  const ChemistryChoices& choices, const ResidueUse& use);

/// Says of cysteines near metals that they are deprotonated, and chooses the tautomer of histidines there,
/// unless the file has it. Metals that do not act decide nothing.
void decide_metals(std::span<const Atom> atoms, const Chemistry& chemistry, const ChemistryChoices& choices,
                   const ResidueUse& use, ChemistryDecisions& decisions);

}  // namespace ionwell
