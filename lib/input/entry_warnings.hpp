// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <vector>

#include "chemistry/decisions/decisions.hpp"
#include "input/sent_entry.hpp"
#include "programs/pdb2pqr.hpp"

namespace ionwell {

/// Names atoms that PDB2PQR built, but those that a modified residue does not have.
void add_built_warning(const Structure& entry, const Chemistry& chemistry,
                       const ChemistryDecisions& decisions, std::span<const SentResidue> sent,
                       std::span<const BuiltAtom> built, std::vector<std::string>& warnings);

/// Names each gap of a chain.
void add_gap_warnings(const Structure& entry, const Chemistry& chemistry, const ChemistryDecisions& decisions,
                      std::vector<std::string>& warnings);

}  // namespace ionwell
