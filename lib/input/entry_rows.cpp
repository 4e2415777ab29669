// SPDX-License-Identifier: BSD-3-Clause
#include "input/entry_rows.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/text/count_text.hpp"

namespace ionwell {
namespace {

constexpr const char* why_lost = "PDB2PQR has no charge for it, --allow-missing";

/// Whether a note says what a decision about the residue says, too.
bool tells_decided(std::string_view what) {
  constexpr std::string_view beginnings[] = {
      "modified ", "a gap after ", "disulfide bond", "bound to ", "begins with a phosphate", "as ", "ligand",
      "cofactor",  "sugar",        "lipid",          "additive"};
  return std::any_of(std::begin(beginnings), std::end(beginnings),
                     [what](std::string_view beginning) { return what.starts_with(beginning); });
}

/// Whether a residue of a second copy follows another one, of which the same is said.
bool continues_copy(std::span<const ResiduePlan> plans, std::uint32_t r) {
  return r > 0 && plans[r].same_place_as != nothing && plans[r - 1].fate == ResidueFate::refused &&
         plans[r - 1].same_place_as + 1 == plans[r].same_place_as;
}

}  // namespace

std::vector<ChemistryRow> entry_rows(std::span<const Atom> atoms, const Chemistry& chemistry,
                                     const ChemistryDecisions& decisions, std::span<const EntryLoss> lost) {
  std::vector<ChemistryRow> rows;
  std::size_t decided = 0, noted = 0;
  for (std::uint32_t r = 0; r < chemistry.residues.size(); ++r) {
    const std::size_t before = rows.size();
    const ResiduePlan& plan = decisions.plans[r];
    const auto add_row = [&](std::string what, std::string why, std::string otherwise) {
      rows.push_back({describe_residue(atoms[chemistry.residues[r].begin]), std::move(what), std::move(why),
                      std::move(otherwise)});
    };
    const auto add = [&](const ChemistryDecision& row) { add_row(row.what, row.why, row.otherwise); };
    for (; decided < decisions.rows.size() && decisions.rows[decided].residue == r; ++decided)
      add(decisions.rows[decided]);
    if (plan.fate == ResidueFate::refused && !continues_copy(decisions.plans, r))
      add(refusal_row(atoms, chemistry, decisions, r));
    const bool is_decided = rows.size() > before;
    for (const EntryLoss& loss : lost)
      if (loss.residue == r && !loss.atom.empty())
        add_row(std::string(loss.atom.view()) + " left out", why_lost, {});
    for (; noted < chemistry.notes.size() && chemistry.notes[noted].residue == r; ++noted) {
      const ChemistryNote& note = chemistry.notes[noted];
      const bool is_told = is_decided && (tells_decided(note.what) ||
                                          (!plan.lacks.empty() && note.what.starts_with("lacks ")));
      if (!is_told) add_row(note.what, note.why, {});
    }
  }
  return rows;
}

std::vector<ChemistryRow> crystal_rows(std::span<const Atom> atoms, const Chemistry& chemistry,
                                       const ChemistryDecisions& decisions, EntryWaters waters) {
  std::vector<ChemistryRow> rows;
  struct IonKind {
    Label name;
    std::int64_t count = 0;
    bool has_others = false;  // besides the atom that has the charge
  };
  std::vector<IonKind> ions;  // in the order of their first
  std::int64_t water_count = 0;
  for (std::uint32_t r = 0; r < chemistry.residues.size(); ++r) {
    if (decisions.plans[r].fate == ResidueFate::water) ++water_count;
    if (decisions.plans[r].fate != ResidueFate::ion) continue;
    const PerceivedResidue& residue = chemistry.residues[r];
    const Label name = atoms[residue.begin].residue;
    auto known = std::ranges::find(ions, name, &IonKind::name);
    if (known == ions.end()) known = ions.insert(ions.end(), IonKind{name});
    ++known->count;
    known->has_others |= residue.end - residue.begin > 1;
  }
  for (const IonKind& ion : ions)
    rows.push_back({count_of(ion.count, std::string(ion.name.view()) + " ion"), "kept, with formal charge",
                    ion.has_others ? "of the crystal; one atom has the charge, the others are left out"
                                   : "of the crystal",
                    "--crystal-ions ignore"});
  if (water_count == 0) return rows;
  ChemistryRow row{count_of(water_count, "water"), "left out", {}, {}};
  switch (waters) {
    case EntryWaters::left_out:
      row.why = "PDB2PQR assigns no charges to them; 'ionwell prepare' keeps them";
      break;
    case EntryWaters::ignored:
      row.why = "--input-water ignore";
      break;
    case EntryWaters::depends_on_command:
      row.what = "kept by 'ionwell prepare' and 'ionwell solvate', left out otherwise";
      row.why = "PDB2PQR assigns no charges to them";
      row.otherwise = "--input-water ignore";
  }
  rows.push_back(std::move(row));
  return rows;
}

void add_kept_waters_row(std::span<const Atom> waters, std::vector<ChemistryRow>& rows) {
  const std::int64_t count = composition_of(waters).water.residues;
  if (count > 0)
    rows.push_back({count_of(count, "water"), "kept", "they stay in the cell", "--input-water ignore"});
}

}  // namespace ionwell
