// SPDX-License-Identifier: BSD-3-Clause
#include "chemistry/decisions/decisions.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "chemistry/decisions/gap_rows.hpp"
#include "chemistry/decisions/incomplete_residues.hpp"
#include "chemistry/decisions/metal_states.hpp"
#include "chemistry/decisions/parents.hpp"
#include "chemistry/decisions/protonation.hpp"
#include "chemistry/decisions/residue_ends.hpp"
#include "chemistry/decisions/sent_names.hpp"
#include "chemistry/decisions/shared_residues.hpp"
#include "chemistry/perception/residue_notes.hpp"
#include "chemistry/templates/residue_charges.hpp"
#include "chemistry/templates/residue_match.hpp"
#include "chemistry/templates/residue_table.hpp"
#include "core/chemistry/residue_kind.hpp"
#include "core/error.hpp"
#include "core/text/count_text.hpp"

namespace ionwell {
namespace {

class Decider {
 public:
  Decider(std::span<const Atom> atoms, const Chemistry& chemistry, const EntryRecords& records,
          const ChemistryChoices& choices, const ResidueUse& use)
      : atoms_(atoms),
        chemistry_(chemistry),
        choices_(choices),
        use_(use),
        reasons_to_free_(reasons_to_free(atoms, chemistry, choices, use)) {
    for (const RecordedModification& modification : records.modifications)
      recorded_parents_.emplace(key_of(modification.residue), modification.parent);
  }

  ChemistryDecisions decide() {
    result_.plans.resize(chemistry_.residues.size());
    for (const ChainGap& gap : chemistry_.gaps) gap_before_[gap.after] = &gap;
    for (std::uint32_t r = 0; r < chemistry_.residues.size(); ++r) decide_residue(r);
    decide_shared_places(atoms_, chemistry_, choices_, use_, result_);
    for (const ChargedGapEnd& end : use_.charged_ends)
      row(end.residue,
          end.is_last ? "ends charged at the gap, without NME" : "begins charged at the gap, without ACE",
          end.why);
    for (const ResidueLink& link : chemistry_.links) decide_link(link);
    decide_metals(atoms_, chemistry_, choices_, use_, result_);
    if (choices_.pH) decide_protonation(atoms_, chemistry_, use_, *choices_.pH, result_);
    std::stable_sort(result_.rows.begin(), result_.rows.end(),
                     [](const auto& a, const auto& b) { return a.residue < b.residue; });
    return std::move(result_);
  }

 private:
  using ResidueKey = std::string;

  static ResidueKey key_of(const RecordedResidue& id) {
    return std::string(id.chain.view()) + ' ' + std::to_string(id.number) + id.insertion_code;
  }

  const PerceivedResidue& residue(std::uint32_t r) const { return chemistry_.residues[r]; }
  const Atom& first(std::uint32_t r) const { return atoms_[residue(r).begin]; }
  std::string_view name(std::uint32_t r) const { return first(r).residue.view(); }
  std::span<const Atom> atoms_of(std::uint32_t r) const {
    return atoms_.subspan(residue(r).begin, residue(r).end - residue(r).begin);
  }
  void row(std::uint32_t r, std::string what, std::string why, std::string otherwise = {}) {
    result_.rows.push_back({r, std::move(what), std::move(why), std::move(otherwise)});
  }

  void decide_residue(std::uint32_t r) {
    ResiduePlan& plan = result_.plans[r];
    switch (residue(r).role) {
      case ResidueRole::water:
        plan.fate = ResidueFate::water;
        return;
      case ResidueRole::ion:
        return decide_ion(r, plan);
      case ResidueRole::amino_acid:
      case ResidueRole::nucleotide:
        decide_of_chain(r, plan);
        break;
      case ResidueRole::cap:
        decide_cap(r, plan);
        break;
      case ResidueRole::bead:
        if (is_membrane_marker(first(r))) return leave_marker_out(r, plan);
        decide_ligand(r, plan);
        break;
      default:
        decide_ligand(r, plan);
    }
    plan.lacks = missing_to_build(atoms_of(r), residue(r), plan);
    if (!plan.lacks.empty()) {
      plan.fate = ResidueFate::refused;
      std::erase_if(result_.rows, [r](const ChemistryDecision& row) { return row.residue == r; });
    }
    if (plan.fate == ResidueFate::refused && choices_.allow_missing && use_.acts(r) &&
        (is_polymer(residue(r).role) || !plan.lacks.empty())) {
      plan.fate = ResidueFate::removed;
      if (plan.lacks.empty())
        row(r, "left out", "PDB2PQR and the table of residues have no charges for it",
            "--replace-nonstandard");
      else
        row(r, "left out", too_few_atoms_text(plan.lacks) + ", --allow-missing");
    }
    if (plan.fate == ResidueFate::refused && !use_.acts(r)) leave_uncharged(r, plan);
    if (is_polymer(residue(r).role)) note_gap(r, plan);
  }

  /// One row for those that follow each other.
  void leave_marker_out(std::uint32_t r, ResiduePlan& plan) {
    plan.fate = ResidueFate::removed;
    if (r > 0 && is_membrane_marker(first(r - 1))) return;
    std::uint32_t end = r + 1;
    while (end < chemistry_.residues.size() && is_membrane_marker(first(end))) ++end;
    row(r, "left out" + (end - r > 1 ? ", with " + count_of(end - r - 1, "residue") + " behind it" : ""),
        "it marks the surface of a membrane and is not an atom");
  }

  /// A nucleotide at an end goes: without the charges of an end those of its chain add up to no integer.
  void leave_uncharged(std::uint32_t r, ResiduePlan& plan) {
    const ResidueEnds ends = ends_of(chemistry_, r);
    const bool is_end = residue(r).role == ResidueRole::nucleotide && (ends.is_first || ends.is_last);
    plan.fate = is_end ? ResidueFate::removed : ResidueFate::uncharged;
    if (is_end) row(r, "left out", "it is an end of its chain without charges, and is ignored");
  }

  void decide_ion(std::uint32_t r, ResiduePlan& plan) {
    const std::span<const Atom> atoms = atoms_of(r);
    const bool is_known = residue_kind({.name = name(r),
                                        .atoms = atoms.size(),
                                        .first_atom = atoms.front().name.view(),
                                        .element = atoms.front().element.view()}) == ResidueKind::ion;
    if (choices_.crystal_ions == CrystalIons::ignore) {
      plan.fate = ResidueFate::removed;
      row(r, "ion left out", "--crystal-ions ignore", "--crystal-ions keep");
    } else if (is_known && !use_.has_charges(name(r))) {
      const bool is_ignored = use_.is_ignored && use_.is_ignored(r);
      plan.fate = is_ignored ? ResidueFate::uncharged : ResidueFate::ion;
    } else {
      decide_ligand(r, plan);
      if (plan.fate == ResidueFate::refused && !use_.acts(r)) plan.fate = ResidueFate::uncharged;
    }
  }

  void decide_ligand(std::uint32_t r, ResiduePlan& plan) {
    const bool has_charges = use_.has_charges(name(r));
    plan.fate = has_charges ? ResidueFate::ligand : ResidueFate::refused;
    if (has_charges) {
      row(r, "kept, with the charges in its file", "by its name", "--ignore");
    } else if (!use_.acts(r)) {
      row(r, std::string(to_string(residue(r).role)) + " without charges", "it is ignored", "--ligand");
    }
  }

  void decide_cap(std::uint32_t r, ResiduePlan& plan) {
    const ResidueTemplate* const found = residue(r).found;
    const bool is_known = found != nullptr && has_library_charges(*found);
    plan.fate = is_known ? ResidueFate::table : ResidueFate::refused;
    if (!is_known) return;
    plan.goal = found;
    if (!use_.uses_libraries)
      row(r, "kept, with charges from the AMBER libraries", "it has no other charges with this force field",
          "--charges");
  }

  void decide_of_chain(std::uint32_t r, ResiduePlan& plan) {
    if (use_.has_charges(name(r))) return decide_ligand(r, plan);
    const ResidueTemplate* const found = residue(r).found;
    const Label parent = parent_of(r);
    const bool is_modified = found == nullptr || parent != found->residue;
    const ResidueEnds ends = ends_of(chemistry_, r);
    const ResidueTemplate* const built = parent.empty() ? nullptr : parent_template(parent.view(), ends);
    const bool has_shape = built != nullptr && (found != nullptr || has_bonds_of(atoms_of(r), *built));
    plan.is_replaceable = is_modified && has_shape;
    if (plan.is_replaceable && choices_.replace_nonstandard) {
      plan.is_replaced = true;
      plan.parent = built;
      plan.sent_as = parent;
      row(r, "replaced by " + std::string(parent.view()),
          found != nullptr ? "it was made from this residue; --replace-nonstandard"
          : has_record(r)  ? "the entry states that it was made from this residue; --replace-nonstandard"
                           : "it has all of its atoms; --replace-nonstandard");
    } else if (found == nullptr) {
      plan.fate = ResidueFate::refused;
      return;
    } else if (is_sent_as_it_is(*found)) {
      choose_state(r, plan, *found);
      complete_ends(r, plan, ends);
    } else {
      plan.fate = ResidueFate::made;
      plan.parent = built;
      plan.goal = residue(r).standard == nullptr ? found : residue(r).standard;
      plan.sent_as = parent;
      if (built == nullptr) plan.fate = ResidueFate::refused;
      if (built != nullptr) {
        const std::string parent_name(parent.view());
        const bool is_plain = found->parent == found->residue;  // DU and DI
        const std::string made_from = is_plain
                                          ? "not modified, but PDB2PQR does not have it; the option builds "
                                          : "modified, made from ";
        const bool is_listed = has_charges_in_libraries(*found);
        if (is_listed && use_.uses_libraries)
          row(r, "kept, with charges from the AMBER libraries", made_from + parent_name,
              "--replace-nonstandard");
        else
          row(r,
              "kept, with the charges of " + std::string(parent.view()) + " for the atoms that are the same",
              made_from + parent_name +
                  (is_listed ? "; the AMBER libraries have it, but the force field does not" : ""),
              "--replace-nonstandard");
      }
    }
    decide_phosphate(r, plan, ends);
  }

  static bool has_charges_in_libraries(const ResidueTemplate& found) {
    const ResidueTemplate* const inner = residue_table().find(found.name.view());
    return inner != nullptr && has_library_charges(*inner);
  }

  /// PDB2PQR knows it, selenomethionine included.
  static bool is_sent_as_it_is(const ResidueTemplate& found) {
    if (found.residue == Label("MSE")) return true;
    const ResidueTemplate* const inner = residue_table().find(found.name.view());
    return (inner == nullptr ? found : *inner).called_in(NamingScheme::pdb2pqr).has_value();
  }

  Label parent_of(std::uint32_t r) const {
    const ResidueTemplate* const found = residue(r).found;
    if (found == nullptr) {
      const auto recorded = recorded_parents_.find(key_at(r));
      if (recorded != recorded_parents_.end()) return recorded->second;
      return residue(r).role == ResidueRole::nucleotide ? nucleotide_with_atoms(atoms_of(r)) : Label();
    }
    // PDB2PQR has no inosine, nor uracil in DNA; what it builds too much is left out again.
    if (found->residue == Label("DI")) return "DG";
    if (found->residue == Label("DU")) return "U";
    return found->parent;
  }

  ResidueKey key_at(std::uint32_t r) const {
    const Atom& atom = first(r);
    return key_of({atom.chain, atom.residue_number, atom.insertion_code});
  }
  bool has_record(std::uint32_t r) const { return recorded_parents_.contains(key_at(r)); }

  /// Names of states, where PDB2PQR would not see them: hydrogens of the file, disulfides and metals.
  void choose_state(std::uint32_t r, ResiduePlan& plan, const ResidueTemplate& found) {
    const ResidueTemplate* const standard = residue(r).standard;
    if (standard == nullptr || residue(r).role != ResidueRole::amino_acid || found.residue == Label("MSE"))
      return;
    const bool is_bridged = standard->name == Label("CYX");
    const bool is_at_metal = standard->name == Label("CYM") && found.name != standard->name;
    if (!reasons_to_free_[r].empty() && (is_bridged || is_at_metal)) {
      if (name(r) != "CYS" || is_bridged) plan.sent_as = "CYS";
      row(r, "protonated (CYS)", reasons_to_free_[r]);
      return;
    }
    if (standard->ends.first == ChainEnd::n_terminal_neutral)
      row(r, "begins with NH3+",
          "the hydrogens in the file are those of a neutral end, which the force field does not have");
    if (standard->ends.last == ChainEnd::c_terminal_neutral)
      row(r, "ends with COO-",
          "the hydrogen in the file is that of a neutral end, which the force field does not have");
    const bool has_state = standard->name != standard->residue;
    const ResidueEnds ends = ends_of(chemistry_, r);
    const bool is_at_end = ends.is_first || ends.is_last;
    if (has_state && use_.has_state && !use_.has_state(standard->name.view(), is_at_end)) {
      plan.sent_as = standard->residue;
      plan.is_replaced = true;
      row(r, "kept standard (" + std::string(standard->residue.view()) + ')',
          "the force field has no " + state_there(standard->name.view(), is_at_end), "--charges");
    } else if (has_state && standard->name.view() != name(r)) {
      plan.sent_as = standard->name;
      const bool is_cysteine = standard->residue == Label("CYS");
      if (is_cysteine) return;
      row(r, "as " + std::string(standard->name.view()),
          has_hydrogens(r) ? "by the hydrogens in the file" : "by its name");
    } else if (!has_state && found.residue == Label("CYS") && name(r) != "CYS") {
      plan.sent_as = "CYS";
    } else if (!has_state && found.residue == Label("HIS") && has_atom(r, "HE2")) {
      plan.sent_as = "HIE";  // or PDB2PQR would choose
      row(r, "as HIE", "by the hydrogens in the file");
    }
  }

  /// PDB2PQR makes the first residue of a chain of an amino acid alone, and no last one.
  void complete_ends(std::uint32_t r, ResiduePlan& plan, const ResidueEnds& ends) {
    const ResidueTemplate* const standard = residue(r).standard;
    if (residue(r).role != ResidueRole::amino_acid || !ends.is_first || !ends.is_last ||
        standard == nullptr || standard->residue == Label("MSE") || !has_standard_atom(r, "OXT"))
      return;
    Label name = plan.sent_as.empty() ? standard->name : plan.sent_as;
    if (name == Label("HIS")) name = "HIE";  // or PDB2PQR would choose
    const ResidueTemplate* const goal =
        residue_table().find(name.view(), {ChainEnd::n_terminal, ChainEnd::c_terminal});
    const ResidueTemplate* const first_one =
        residue_table().find(name.view(), {ChainEnd::n_terminal, ChainEnd::none});
    if (goal == nullptr || first_one == nullptr) return;
    plan.fate = ResidueFate::made;
    plan.sent_as = name;
    plan.parent = first_one;
    plan.goal = goal;
    row(r, "single residue, with NH3+ and COO-",
        "PDB2PQR has no such residue: its COO- has the AMBER charges of alanine");
  }

  bool has_atom(std::uint32_t r, std::string_view name) const {
    const std::span<const Atom> atoms = atoms_of(r);
    return std::any_of(atoms.begin(), atoms.end(),
                       [name](const Atom& atom) { return atom.name.view() == name; });
  }

  /// Whatever its name in the file.
  bool has_standard_atom(std::uint32_t r, std::string_view name) const {
    const PerceivedResidue& there = residue(r);
    for (std::uint32_t n = there.begin; n < there.end; ++n)
      if (const std::uint16_t m = chemistry_.found_atoms[n];
          m != Chemistry::no_atom && there.found->atoms[m].name.view() == name)
        return true;
    return false;
  }

  bool has_hydrogens(std::uint32_t r) const {
    const std::span<const Atom> atoms = atoms_of(r);
    return std::any_of(atoms.begin(), atoms.end(),
                       [](const Atom& atom) { return is_named_as_hydrogen(atom.name.view()); });
  }

  void decide_phosphate(std::uint32_t r, ResiduePlan& plan, const ResidueEnds& ends) {
    if (residue(r).role != ResidueRole::nucleotide || !ends.is_first) return;
    if (!has_atom(r, "P")) return;
    const auto gap = gap_before_.find(r);
    const ResidueTemplate* const found = residue(r).found;
    if (gap == gap_before_.end() && choices_.five_phosphate == FivePhosphate::keep && found != nullptr) {
      const Label goal_name = plan.is_replaced ? plan.sent_as : found->name;
      const ChainEnd last = ends.is_last ? ChainEnd::three_hydroxyl : ChainEnd::none;
      const ResidueTemplate* const goal =
          residue_table().find(goal_name.view(), {ChainEnd::five_phosphate, last});
      const ResidueTemplate* const parent =
          plan.parent != nullptr ? plan.parent
                                 : residue_table().find(goal_name.view(), {ChainEnd::five_hydroxyl, last});
      if (goal != nullptr && parent != nullptr) {
        plan.fate = ResidueFate::made;
        plan.parent = parent;
        plan.goal = goal;
        if (plan.sent_as.empty()) plan.sent_as = found->name;
        row(r, "keeps its 5' phosphate as HPO4-", "--five-phosphate keep", "--five-phosphate remove");
        return;
      }
    }
    plan.loses_phosphate = true;
    if (gap != gap_before_.end())
      row(r, "loses its phosphate", "the chain is broken before it");
    else
      row(r, "its 5' phosphate is removed, so it begins with a hydroxyl",
          why_phosphate_goes(atoms_, chemistry_, r), "--five-phosphate keep");
  }

  void note_gap(std::uint32_t r, const ResiduePlan& plan) {
    const auto found = gap_before_.find(r);
    if (found != gap_before_.end() && plan.fate != ResidueFate::removed)
      add_gap_rows(atoms_, chemistry_, *found->second, choices_.gap_ends, result_.rows);
  }

  void decide_link(const ResidueLink& link) {
    if (link.kind != LinkKind::disulfide) return;
    const std::uint32_t r = chemistry_.residue_of(link.first), partner = chemistry_.residue_of(link.second);
    if (use_.ignores(r) || use_.ignores(partner)) return;
    row(r, "disulfide bond to " + describe_residue(first(partner)),
        why_noted(chemistry_, r, "disulfide bond to"));
  }

  std::span<const Atom> atoms_;
  const Chemistry& chemistry_;
  const ChemistryChoices& choices_;
  const ResidueUse& use_;
  std::vector<std::string> reasons_to_free_;  // by residue: cysteines
  std::unordered_map<ResidueKey, Label> recorded_parents_;
  std::unordered_map<std::uint32_t, const ChainGap*> gap_before_;
  ChemistryDecisions result_;
};

}  // namespace

std::string state_there(std::string_view state, bool is_at_end) {
  return std::string(state) + (is_at_end ? " at an end of a chain" : "");
}

ChemistryDecisions decide(std::span<const Atom> atoms, const Chemistry& chemistry,
                          const EntryRecords& records, const ChemistryChoices& choices,
                          const ResidueUse& use) {
  return Decider(atoms, chemistry, records, choices, use).decide();
}

}  // namespace ionwell
