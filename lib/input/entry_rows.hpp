// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "chemistry/decisions/decisions.hpp"
#include "input/chemistry_row.hpp"

namespace ionwell {

/// What PDB2PQR does not give back.
struct EntryLoss {
  std::uint32_t residue = 0;
  Label atom;  // empty: the whole residue
};

/// The table "chemistry": decisions, refusals and losses, and notes that they do not repeat.
std::vector<ChemistryRow> entry_rows(std::span<const Atom> atoms, const Chemistry& chemistry,
                                     const ChemistryDecisions& decisions, std::span<const EntryLoss> lost);

/// What becomes of the waters of an entry on its way to charges.
enum class EntryWaters { left_out, ignored, depends_on_command };

/// A row for each kind of ion that is kept, with its count, and one for waters.
std::vector<ChemistryRow> crystal_rows(std::span<const Atom> atoms, const Chemistry& chemistry,
                                       const ChemistryDecisions& decisions, EntryWaters waters);

/// Adds a row for waters that stay, where there are some.
void add_kept_waters_row(std::span<const Atom> waters, std::vector<ChemistryRow>& rows);

}  // namespace ionwell
