// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>

#include "chemistry/perception/chemistry.hpp"

namespace ionwell {

/// Where a residue is in its piece of a chain.
struct ResidueEnds {
  bool is_first = false, is_last = false;
};

/// Of a closed ring no residue is.
ResidueEnds ends_of(const Chemistry& chemistry, std::uint32_t residue);

/// Whether a piece ends with the residue, and another begins after a gap; after a cap, if there is one.
bool breaks_behind(const Chemistry& chemistry, std::uint32_t residue);

/// Of a nucleotide that begins a piece, with a phosphate; it may be bound to O2' of another one.
std::string why_phosphate_goes(std::span<const Atom> atoms, const Chemistry& chemistry,
                               std::uint32_t residue);

/// The template of the residue that PDB2PQR makes of a modified one at that place;
/// nullptr when the table has none.
const ResidueTemplate* parent_template(std::string_view parent, const ResidueEnds& ends);

}  // namespace ionwell
