// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "chemistry/decisions/decisions.hpp"
#include "chemistry/perception/chemistry.hpp"

namespace ionwell {

/// An entry whose proteins have caps at gaps. The gaps lie between the residues of the entry as before; one
/// that is capped has a neighbour in its chain.
struct CappedEntry {
  std::vector<Atom> atoms;
  std::vector<std::uint32_t> origins;  // by atom: its number in the entry; of caps, that of a neighbour
  EntryRecords records;
  Chemistry chemistry;
  std::vector<ChargedGapEnd> charged_ends;
};

/// Builds NME after the amino acid before each gap, and ACE before the one after it, numbered n + 1 and
/// n - 1 where that lies in the gap, otherwise as their neighbour or the one before, with an insertion code.
/// The angle phi, where the entry has no hydrogen to tell it, is the one of those between -60 and -150
/// degrees that keeps ACE farthest from other atoms. Where an atom besides hydrogens comes nearer than 2 A to
/// another, or atoms are missing to build on, that end stays charged. O(atoms * gaps).
CappedEntry cap_gaps(std::span<const Atom> atoms, const EntryRecords& records, const Chemistry& chemistry,
                     const ResidueUse& use);

}  // namespace ionwell
