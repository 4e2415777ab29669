// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/structure.hpp"

/// The parts that psfgen builds a system of.
namespace ionwell {

/// Residues that a segment may have: their numbers have four digits.
constexpr std::size_t most_segment_residues = 9'999;

/// Atoms that psfgen builds as one segment.
struct CharmmSegment {
  std::string name;
  std::vector<Atom> atoms;
  bool is_loose = false;    // waters or ions: nothing is bound to its neighbour
  std::string first, last;  // patches of its ends, or "none"; empty: not told
};

/// Names of segments: each once, whatever the case, which psfgen does not tell.
class SegmentNames {
 public:
  /// `own` with letters, digits and underscores alone, or with a number where it is taken or too long.
  std::string unique(std::string_view own);

  void take(std::string_view name);

 private:
  std::set<std::string> taken_{"ion"};  // and ion2 ..., which begin so
};

/// What a segment of an atom's chain is called after.
std::string_view segment_name(const Atom& atom);

/// Chains as segments, each piece between TERs its own; waters and ions apart, numbered anew, with CHARMM's
/// names for ions of one atom. O(atoms).
std::vector<CharmmSegment> segments_of_chains(std::span<const Atom> atoms, SegmentNames& names);

/// psfgen has all names in upper case.
std::string upper_case(std::string_view text);

/// Names of chains and segments that a script of psfgen cannot have: all but letters, digits and underscores
/// of them become underscores. Each once.
std::vector<std::string> renamed_segments(std::span<const Atom> atoms);

/// A residue's number and insertion code behind the segment (as "A:"), as a word of Tcl.
std::string tcl_residue(const std::string& segment, const Atom& atom);

}  // namespace ionwell
