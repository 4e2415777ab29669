// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "chemistry/decisions/decisions.hpp"

namespace ionwell {

/// What is built into a residue before all else is decided, and the row of the table that says so.
struct AtomToBuild {
  std::uint32_t residue = 0;
  std::optional<Atom> atom;  // nothing: it cannot be built
  std::string what, why;
};

/// Atoms that decide what a residue is, and that PDB2PQR does not build, or anywhere: OXT of an amino acid
/// alone; OP3 of a 5' phosphate that is kept; O2' of a modified ribose; SG of a cysteine that the entry
/// records a disulfide of, or whose CB is as near to a free SG as in one. O(residues + cysteines^2).
std::vector<AtomToBuild> atoms_to_build(std::span<const Atom> atoms, const Chemistry& chemistry,
                                        const EntryRecords& records, const ChemistryChoices& choices,
                                        const ResidueUse& use);

/// An entry with such atoms at the ends of their residues.
struct CompletedEntry {
  std::vector<Atom> atoms;
  std::vector<std::uint32_t> origins;  // by atom: its number in the entry, or that of the atom before it
  EntryRecords records;
};

CompletedEntry completed_entry(std::span<const Atom> atoms, const EntryRecords& records,
                               const Chemistry& chemistry, std::span<const AtomToBuild> built);

}  // namespace ionwell
