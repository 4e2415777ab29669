// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "chemistry/decisions/decisions.hpp"

namespace ionwell {

/// Why the perception found something of a residue.
std::string why_noted(const Chemistry& chemistry, std::uint32_t residue, std::string_view what);

/// What becomes of the ends on both sides of a gap.
void add_gap_rows(std::span<const Atom> atoms, const Chemistry& chemistry, const ChainGap& gap, GapEnds ends,
                  std::vector<ChemistryDecision>& rows);

}  // namespace ionwell
