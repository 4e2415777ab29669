// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "chemistry/decisions/decisions.hpp"
#include "chemistry/perception/chemistry.hpp"
#include "core/structure.hpp"
#include "programs/child_process.hpp"

namespace ionwell {

/// What PROPKA gets: proteins with their caps and without hydrogens, each piece of a chain with a letter and
/// numbers of its own, and what is around them, metals and ligands; neither nucleic acids nor waters.
struct PropkaInput {
  std::string pdb_text;                 // empty: there is no protein
  std::vector<std::uint32_t> residues;  // of proteins and caps, in the order of the text
  std::string chains;                   // their letters
  std::vector<int> numbers;             // and their numbers
};

/// Throws Error for more than 62 pieces, 9,999 residues of one, or 99,999 atoms. O(atoms).
PropkaInput propka_input(const Structure& structure, const Chemistry& chemistry);

/// What PROPKA's file of results says in its summary. Groups without a pKa (disulfides) are left out.
std::vector<ResiduePka> read_pkas(std::string_view text, const PropkaInput& input);

/// The pKa of each group of the proteins, by PROPKA 3 (`propka3`). Throws Error when it is not installed,
/// fails or gives no result; Interrupted when a signal was noted. It takes seconds, and minutes for thousands
/// of residues.
std::vector<ResiduePka> predict_pkas(const Structure& structure, const Chemistry& chemistry,
                                     const SignalNotes& notes,
                                     const std::function<void(double seconds)>& progress);

}  // namespace ionwell
