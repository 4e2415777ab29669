// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "chemistry/perception/entry_records.hpp"
#include "core/structure.hpp"

namespace ionwell {

/// The atoms of an entry, or some of them, and what is known of them.
struct EntryPart {
  Structure structure;
  EntryRecords records;
  std::vector<std::uint8_t> acts;  // by atom; empty: all do
};

/// Takes out the waters, which it returns. O(atoms).
std::vector<Atom> take_waters_out(EntryPart& part);

/// Takes out the atoms whose flag is set. A chain that ended at one ends at the atom before it, if that is of
/// the same chain. O(atoms).
void take_out(EntryPart& part, std::span<const std::uint8_t> is_taken);

}  // namespace ionwell
