#pragma once

#include "chemistry/decisions/decisions.hpp"

namespace ionwell {

/// Rows of a gap: where it is, how both pieces end, and their caps.
void add_gap_rows(std::span<const Atom> atoms, const Chemistry& chemistry, const ChainGap& gap,
                  const ChemistryChoices& choices, ChemistryDecisions& decisions);

/// Rows of the disulfide bonds between residues that are not ignored.
void add_disulfide_rows(std::span<const Atom> atoms, const Chemistry& chemistry, const ResidueUse& use,
                        ChemistryDecisions& decisions);

}  // namespace ionwell
