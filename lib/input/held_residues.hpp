// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "chemistry/decisions/held_side_chain.hpp"
#include "input/sent_entry.hpp"

namespace ionwell {

/// Turns side chains of PDB2PQR's answer back where it moved an atom that is bound. The rows say so, and then
/// which other ones it turned.
std::vector<ChemistryDecision> hold_bound_atoms(std::span<const Atom> entry, const Chemistry& chemistry,
                                                const ChemistryDecisions& decisions,
                                                std::span<const BoundAtom> bound,
                                                std::span<const SentResidue> sent, std::span<Atom> answer);

}  // namespace ionwell
