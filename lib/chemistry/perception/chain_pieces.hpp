#pragma once

#include <vector>

#include "chemistry/perception/working_residues.hpp"

namespace ionwell {

struct FoundPieces {
  std::vector<ChainPiece> pieces;
  std::vector<ChainGap> gaps;
};

/// The pieces of chains whose residues are linked, and gaps between neighbours of one chain that are not:
/// same chain identifier, no TER between, numbers that go on. Says of each residue which piece it is in.
/// O(residues).
FoundPieces find_pieces(WorkingResidues& working, const EntryRecords& records);

/// What is bound to a cysteine's sulfur.
struct CysteineState {
  bool is_bridged = false, is_metal_bound = false;
};

/// The residue's template in standard conditions, see PerceivedResidue; nullptr where there is none.
const ResidueTemplate* standard_template(const WorkingResidues& working,
                                         const std::vector<ChainPiece>& pieces, const WorkingResidue& residue,
                                         CysteineState state);

}  // namespace ionwell
