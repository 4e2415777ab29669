// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <set>
#include <span>
#include <string>
#include <vector>

#include "structures/engines/charmm_segments.hpp"
#include "structures/engines/charmm_topologies.hpp"
#include "structures/engines/engine_residues.hpp"

namespace ionwell {

/// A structure under CHARMM's names, and what psfgen has to be told of it.
struct CharmmPieces {
  std::vector<CharmmSegment> chains;  // a segment for each piece of a chain, then those of other residues
  std::vector<CharmmSegment> loose;   // waters and ions
  std::vector<std::string> patches;   // lines, but for those of the ends
  // Atoms that may be without a position, or have it in the origin: "A:5:HN", in upper case. Besides these,
  // hydrogens of segments in `is_free`.
  std::vector<std::string> unplaced;
  std::vector<std::string> free_segments;  // whose residues the table of residues does not have
  std::set<CharmmTopology> topologies;
};

/// Throws Error, with residues, as engine_residues, and for chain ends and links that CHARMM has no patch
/// for. O(atoms).
CharmmPieces charmm_pieces(std::span<const Atom> atoms, const NamedResidues& named, SegmentNames& names);

}  // namespace ionwell
