#pragma once

#include <span>

#include "chemistry/decisions/decisions.hpp"

namespace ionwell {

/// At a pH: states of side chains by their pKa, where PDB2PQR's force fields have them, no other decision
/// named the residue, and the file has none of its hydrogens. Rows say what stays as it is because no force
/// field has it.
void decide_protonation(std::span<const Atom> atoms, const Chemistry& chemistry,
                        std::span<const ResiduePka> pkas, double pH, ChemistryDecisions& decisions);

}  // namespace ionwell
