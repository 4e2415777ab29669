// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <vector>

#include "input/entry_rows.hpp"
#include "input/sent_entry.hpp"

namespace ionwell {

/// Whether it is an amino acid alone, of which PDB2PQR makes the first of a chain only.
bool has_one_end(const Chemistry& chemistry, std::uint32_t residue, const ResiduePlan& plan);

/// Adds the atoms, besides hydrogens, of a residue that PDB2PQR did not give back.
void add_lost_atoms(std::span<const Atom> entry, const Chemistry& chemistry, const ResiduePlan& plan,
                    const SentResidue& sent, std::vector<EntryLoss>& lost);

}  // namespace ionwell
