// SPDX-License-Identifier: BSD-3-Clause
#include "chemistry/perception_invariants.hpp"

#include <algorithm>

namespace ionwell::test {

std::string broken_invariant(const Chemistry& chemistry, std::size_t atoms) {
  std::size_t end = 0;
  for (const PerceivedResidue& residue : chemistry.residues) {
    if (residue.begin != end || residue.end <= residue.begin) return "residues do not follow each other";
    end = residue.end;
    if (residue.standard != nullptr && residue.found == nullptr)
      return "a residue is standard, and not found";
  }
  if (end != atoms) return "some atoms are in no residue";
  if (!std::is_sorted(chemistry.bonds.begin(), chemistry.bonds.end())) return "bonds are not sorted";
  if (std::adjacent_find(chemistry.bonds.begin(), chemistry.bonds.end()) != chemistry.bonds.end())
    return "a bond is there twice";
  for (const auto& [a, b] : chemistry.bonds)
    if (a >= b || b >= atoms) return "a bond is not of two atoms";
  std::vector<int> times(chemistry.residues.size());
  for (std::size_t p = 0; p < chemistry.pieces.size(); ++p) {
    const auto& residues = chemistry.pieces[p].residues;
    if (residues.empty()) return "a piece is empty";
    for (std::size_t n = 0; n < residues.size(); ++n) {
      if (residues[n] >= times.size() || ++times[residues[n]] > 1) return "a residue is in two pieces";
      if (chemistry.residues[residues[n]].piece != p) return "a residue does not know its piece";
      if (n + 1 < residues.size() && chemistry.residues[residues[n]].after != residues[n + 1])
        return "a piece is not linked";
      if (n > 0 && chemistry.residues[residues[n]].before != residues[n - 1])
        return "a piece is not linked back";
    }
    if (chemistry.pieces[p].is_ring && chemistry.residues[residues.back()].after != residues[0])
      return "a ring is open";
  }
  for (std::size_t r = 0; r < times.size(); ++r)
    if ((chemistry.residues[r].piece == nothing) != (times[r] == 0))
      return "a residue is in a piece that lacks it";
  for (const ResidueLink& link : chemistry.links) {
    if (link.first >= link.second || link.second >= atoms) return "a link is not of two atoms";
    if (!std::binary_search(chemistry.bonds.begin(), chemistry.bonds.end(),
                            std::pair(link.first, link.second)))
      return "a link is no bond";
  }
  for (const MetalSite& site : chemistry.metals)
    for (const std::uint32_t ligand : site.ligands)
      if (ligand >= atoms || ligand == site.metal) return "a metal has no such ligand";
  for (const ChainGap& gap : chemistry.gaps)
    if (gap.before >= times.size() || gap.after >= times.size()) return "a gap is between no residues";
  for (const ChemistryNote& note : chemistry.notes)
    if (note.residue >= times.size() || note.what.empty() || note.why.empty()) return "a note has no meaning";
  std::size_t counted = 0;
  for (const std::size_t count : chemistry.counts) counted += count;
  return counted == chemistry.residues.size() ? "" : "the counts are not those of the residues";
}

}  // namespace ionwell::test
