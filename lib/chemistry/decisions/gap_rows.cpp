// SPDX-License-Identifier: BSD-3-Clause
#include "chemistry/decisions/gap_rows.hpp"

namespace ionwell {

std::string why_noted(const Chemistry& chemistry, std::uint32_t residue, std::string_view what) {
  for (const ChemistryNote& note : chemistry.notes)
    if (note.residue == residue && note.what.starts_with(what)) return note.why;
  return "by the distance";
}

void add_gap_rows(std::span<const Atom> atoms, const Chemistry& chemistry, const ChainGap& gap, GapEnds ends,
                  std::vector<ChemistryDecision>& rows) {
  const std::uint32_t r = gap.after, before = gap.before;
  const bool is_protein = chemistry.residues[r].role == ResidueRole::amino_acid;
  const bool ends_capped = chemistry.residues[before].after != nothing,
             begins_capped = chemistry.residues[r].before != nothing;
  const bool is_capped = ends_capped || begins_capped;
  const char* const option = ends == GapEnds::charged ? "--gap-ends capped" : "--gap-ends charged";
  rows.push_back({r,
                  "a gap after " + describe_residue(atoms[chemistry.residues[before].begin]) +
                      ": two pieces, " +
                      (!is_protein                    ? "with hydroxyls as ends"
                       : !is_capped                   ? "with charged ends"
                       : ends_capped && begins_capped ? "with caps as ends"
                                                      : "with one cap and one charged end"),
                  why_noted(chemistry, r, "a gap after"), is_protein ? option : ""});
  const auto add_cap = [&](std::uint32_t residue, const char* what) {
    rows.push_back({residue, what, "--gap-ends capped", "--gap-ends charged"});
  };
  if (ends_capped) add_cap(before, "ends with NME (capped)");
  if (begins_capped) add_cap(r, "begins with ACE (capped)");
}

}  // namespace ionwell
