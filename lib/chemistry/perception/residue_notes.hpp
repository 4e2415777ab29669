// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "chemistry/perception/residue_links.hpp"
#include "chemistry/perception/working_residues.hpp"

namespace ionwell {

/// Notes of residues that are not plain, in the order of the residues. `chemistry` is complete but for them;
/// notes of its links are there already. O(atoms).
void add_notes(const WorkingResidues& working, const EntryRecords& records, Chemistry& chemistry);

/// "CA CB", "C8 N7 C5 C6 N6 N1 and 3 more".
std::string listed(const std::vector<Label>& names);

/// "2.03 A".
std::string distance_text(double distance_A);

}  // namespace ionwell
