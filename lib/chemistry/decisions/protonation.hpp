// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>

#include "chemistry/decisions/decisions.hpp"

namespace ionwell {

/// At a pH: states of side chains by the pKa in `use`, where its force field has them, no other decision
/// named the residue, and the file has none of its hydrogens. Rows say what stays as it is because the force
/// field does not have it.
void decide_protonation(std::span<const Atom> atoms, const Chemistry& chemistry, const ResidueUse& use,
                        double pH, ChemistryDecisions& decisions);

}  // namespace ionwell
