#include "chemistry/decisions/found_rows.hpp"

#include "chemistry/perception/residue_notes.hpp"

namespace ionwell {
namespace {

/// Why the perception found something of a residue.
std::string why_of(const Chemistry& chemistry, std::uint32_t r, std::string_view what) {
  for (const ChemistryNote& note : chemistry.notes)
    if (note.residue == r && note.what.starts_with(what)) return note.why;
  return "by the distance";
}

std::string described(std::span<const Atom> atoms, const Chemistry& chemistry, std::uint32_t r) {
  return describe_residue(atoms[chemistry.residues[r].begin]);
}

}  // namespace

void add_gap_rows(std::span<const Atom> atoms, const Chemistry& chemistry, const ChainGap& gap,
                  const ChemistryChoices& choices, ChemistryDecisions& decisions) {
  const std::uint32_t before = gap.before, r = gap.after;
  const bool is_protein = chemistry.residues[r].role == ResidueRole::amino_acid;
  const bool ends_capped = chemistry.residues[before].after != nothing,
             begins_capped = chemistry.residues[r].before != nothing;
  const bool is_capped = ends_capped || begins_capped;
  const char* const option =
      choices.gap_ends == GapEnds::charged ? "--gap-ends capped" : "--gap-ends charged";
  decisions.rows.push_back({r,
                            "a gap after " + described(atoms, chemistry, before) + ": two pieces, " +
                                (!is_protein                    ? "with hydroxyls as ends"
                                 : !is_capped                   ? "with charged ends"
                                 : ends_capped && begins_capped ? "with caps as ends"
                                                                : "with one cap and one charged end"),
                            why_of(chemistry, r, "a gap after"), is_protein ? option : ""});
  const auto add_cap = [&](std::uint32_t end, const char* what) {
    decisions.rows.push_back({end, what, "--gap-ends capped", "--gap-ends charged"});
  };
  if (ends_capped) add_cap(before, "ends with NME (capped)");
  if (begins_capped) add_cap(r, "begins with ACE (capped)");
}

void add_disulfide_rows(std::span<const Atom> atoms, const Chemistry& chemistry, const ResidueUse& use,
                        ChemistryDecisions& decisions) {
  for (const ResidueLink& link : chemistry.links) {
    if (link.kind != LinkKind::disulfide) continue;
    const std::uint32_t r = chemistry.residue_of(link.first), partner = chemistry.residue_of(link.second);
    if (use.ignores(r) || use.ignores(partner)) continue;
    decisions.rows.push_back({r,
                              "disulfide bond to " + described(atoms, chemistry, partner),
                              why_of(chemistry, r, "disulfide bond to"),
                              {}});
  }
}

}  // namespace ionwell
