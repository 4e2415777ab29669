// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "chemistry/decisions/decisions.hpp"
#include "chemistry/perception/chemistry.hpp"
#include "core/structure.hpp"

namespace ionwell {

/// A residue as PDB2PQR gets it, and what came back.
struct SentResidue {
  std::uint32_t residue = 0;
  std::size_t begin = 0;     // of its atoms in what is sent
  std::vector<Label> names;  // by atom of the residue; empty: it is not sent
  std::span<const Atom> answer;
};

/// What PDB2PQR gets of an entry: chains along their bonds, each with its end, and ions after them.
struct SentEntry {
  Structure structure;
  std::vector<SentResidue> residues;  // in the order in which they are sent
  std::int64_t waters = 0;            // that are not
};

/// O(atoms).
SentEntry sent_entry(const Structure& entry, const Chemistry& chemistry, const ChemistryDecisions& decisions);

}  // namespace ionwell
