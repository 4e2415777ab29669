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

}  // namespace ionwell
