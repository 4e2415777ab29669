// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "chemistry/perception/working_residues.hpp"

namespace ionwell {

struct FoundPieces {
  std::vector<ChainPiece> pieces;
  std::vector<ChainGap> gaps;
};

/// The pieces of chains whose residues are linked, and gaps between neighbours of one chain that are not:
/// same chain identifier, no TER between, numbers that continue, no link. Says of each residue which piece it
/// is in. O(residues).
FoundPieces find_pieces(WorkingResidues& working, const std::vector<ResidueLink>& links,
                        const EntryRecords& records);

/// What is bound to a residue besides its neighbours in the chain.
struct ResidueState {
  bool is_bridged = false, is_metal_bound = false;  // a cysteine's sulfur
  bool is_bound_before = false;    // its first atom, by no isopeptide: a phosphate that is bound stays
  bool is_bound_after = false;     // its last atom
  bool has_file_hydroxyls = true;  // false: none of the file's serines and threonines has its hydrogen on O
};

/// The residue's template in standard conditions, see PerceivedResidue; nullptr where there is none.
const ResidueTemplate* standard_template(const WorkingResidues& working,
                                         const std::vector<ChainPiece>& pieces, const WorkingResidue& residue,
                                         ResidueState state);

}  // namespace ionwell
