#include "input/entry_charges.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "chemistry/decisions/cap_geometry.hpp"
#include "chemistry/decisions/decisions.hpp"
#include "chemistry/decisions/gap_caps.hpp"
#include "chemistry/decisions/made_residue.hpp"
#include "chemistry/decisions/residue_ends.hpp"
#include "chemistry/decisions/sent_names.hpp"
#include "core/error.hpp"
#include "core/text/count_text.hpp"
#include "core/text/first_names.hpp"
#include "input/entry_part.hpp"
#include "input/sent_entry.hpp"
#include "programs/pdb2pqr_states.hpp"
#include "structures/solute_elements.hpp"

namespace ionwell {
namespace {

/// What PDB2PQR does not give back.
struct Loss {
  std::uint32_t residue = 0;
  Label atom;         // empty: the whole residue
  std::string lacks;  // atoms without which the rest has no charges
};

constexpr const char* why_lost = "PDB2PQR has no charge for it, --allow-missing";
constexpr const char* only_one_end = "it is alone, and PDB2PQR gives such a residue one end, without OXT";

/// Whether a note says what a decision about the residue says, too.
bool tells_decided(std::string_view what) {
  constexpr std::string_view beginnings[] = {
      "modified ", "a gap after ", "disulfide bond", "bound to ", "begins with a phosphate", "as ", "ligand",
      "cofactor",  "sugar",        "lipid",          "additive"};
  return std::any_of(std::begin(beginnings), std::end(beginnings),
                     [what](std::string_view beginning) { return what.starts_with(beginning); });
}

class EntryCharger {
 public:
  EntryCharger(const EntryCharger&) = delete;
  EntryCharger(const Structure& entry, const EntryRecords& records, const EntryOptions& options)
      : entry_(&entry), options_(options), acts_(options.acts), chemistry_(perceive(entry.atoms, records)) {
    ResidueUse use{.acts = [this](std::uint32_t r) { return acts(r); },
                   .has_charges = [this](std::string_view name) { return options_.ligands.has(name); }};
    CappedEntry capped;
    if (options.choices.gap_ends == GapEnds::capped && !chemistry_.gaps.empty()) {
      capped = cap_gaps(entry.atoms, records, chemistry_, use);
      take(capped);
      use.charged_ends = capped.charged_ends;
    }
    std::vector<ResiduePka> pkas;
    if (options.choices.pH && options.predict_pkas) pkas = options.predict_pkas(*entry_, chemistry_);
    use.pkas = pkas;
    use.has_state = [this](std::string_view state, bool is_at_end) {
      return has_state(options_.force_field, state, is_at_end);
    };
    use.uses_libraries = options_.force_field == ChargeForceField::amber;
    decisions_ = decide(entry_->atoms, chemistry_, records, options.choices, use);
  }

  std::vector<ChemistryRow> rows() const {
    std::vector<ChemistryRow> rows;
    std::size_t decided = 0, noted = 0;
    for (std::uint32_t r = 0; r < chemistry_.residues.size(); ++r) {
      const std::size_t before = rows.size();
      const std::string name = describe_residue(first(r));
      for (; decided < decisions_.rows.size() && decisions_.rows[decided].residue == r; ++decided) {
        const ChemistryDecision& row = decisions_.rows[decided];
        rows.push_back({name, row.what, row.why, row.otherwise, row.hinders_folders});
      }
      if (plan(r).fate == ResidueFate::refused)
        rows.push_back({name, "without charges: the run stops",
                        std::string(to_string(chemistry_.residues[r].role)) + " that PDB2PQR does not know",
                        is_polymer(chemistry_.residues[r].role) ? "--replace-nonstandard, --allow-missing"
                                                                : "--ligand, --ignore"});
      const bool is_decided = rows.size() > before;
      for (const Loss& loss : lost_)
        if (loss.residue == r && !loss.atom.empty())
          rows.push_back({name, std::string(loss.atom.view()) + " left out", why_lost, {}});
      if (has_one_end(r))
        rows.push_back({name, "has the NH3+ of a first residue, and no COO-", only_one_end, {}, true});
      for (; noted < chemistry_.notes.size() && chemistry_.notes[noted].residue == r; ++noted)
        if (!is_decided || !tells_decided(chemistry_.notes[noted].what))
          rows.push_back({name, chemistry_.notes[noted].what, chemistry_.notes[noted].why, {}});
    }
    return rows;
  }

  /// Whether it is left out of a chain, as it has no charges.
  bool is_without_charges(std::uint32_t r) const {
    return plan(r).fate == ResidueFate::removed && is_polymer(chemistry_.residues[r].role);
  }

  /// The residues of which that holds.
  std::vector<std::uint32_t> residues_where(bool (EntryCharger::*holds)(std::uint32_t) const) const {
    std::vector<std::uint32_t> residues;
    for (std::uint32_t r = 0; r < chemistry_.residues.size(); ++r)
      if ((this->*holds)(r)) residues.push_back(r);
    return residues;
  }

  /// Those that PDB2PQR did not give back; after `charge`.
  std::vector<std::uint32_t> lost_residues() const {
    std::vector<std::uint32_t> residues;
    for (const Loss& loss : lost_)
      if (loss.atom.empty()) residues.push_back(loss.residue);
    return residues;
  }

  const Atom& first(std::uint32_t r) const { return atoms_of(r).front(); }
  std::string name_of(std::uint32_t r) const { return describe_residue(first(r)); }

  ChargedEntry charge(const std::function<ChargedStructure(const Structure&)>& program) {
    refuse_residues(entry_->path, entry_->atoms, chemistry_, decisions_);
    sent_ = sent_entry(*entry_, chemistry_, decisions_);
    ChargedStructure answer;
    if (sent_.residues.empty())
      answer.structure.warnings = entry_->warnings;
    else
      answer = program(sent_.structure);
    read(answer.structure.atoms);
    ChargedEntry charged;
    charged.note = answer.note;
    Structure& structure = charged.structure;
    structure.path = entry_->path;
    structure.cell = entry_->cell;
    structure.atoms = put_together();
    structure.warnings = std::move(answer.structure.warnings);
    const std::vector<std::string>& of_ligands = options_.ligands.warnings();
    structure.warnings.insert(structure.warnings.end(), of_ligands.begin(), of_ligands.end());
    if (sent_.waters > 0)
      structure.warnings.push_back(entry_->path + ": " + count_of(sent_.waters, "water") +
                                   (sent_.waters == 1 ? " was" : " were") + " left out");
    add_built_warning(answer.built, structure.warnings);
    add_gap_warnings(structure.warnings);
    add_loss_warnings(structure.warnings);
    charged.rows = rows();
    return charged;
  }

 private:
  /// The caps become part of the entry; they act where their neighbours do.
  void take(CappedEntry& capped) {
    capped_ = {entry_->path, std::move(capped.atoms), entry_->warnings, {}, entry_->cell};
    entry_ = &capped_;
    chemistry_ = std::move(capped.chemistry);
    if (acts_.empty()) return;
    std::vector<std::uint8_t> acts;
    for (const std::uint32_t origin : capped.origins) acts.push_back(acts_[origin]);
    acts_ = std::move(acts);
  }

  const ResiduePlan& plan(std::uint32_t r) const { return decisions_.plans[r]; }
  std::span<const Atom> atoms_of(std::uint32_t r) const {
    const PerceivedResidue& residue = chemistry_.residues[r];
    return std::span(entry_->atoms).subspan(residue.begin, residue.end - residue.begin);
  }

  bool acts(std::uint32_t r) const {
    if (acts_.empty()) return true;
    const PerceivedResidue& residue = chemistry_.residues[r];
    return std::any_of(acts_.begin() + residue.begin, acts_.begin() + residue.end,
                       [](std::uint8_t a) { return a != 0; });
  }

  /// Finds the residues of the answer, which are in the order in which they were sent.
  void read(const std::vector<Atom>& answer) {
    answer_ = answer;
    std::size_t at = 0;
    for (SentResidue& sent : sent_.residues) {
      const Atom& asked = first(sent.residue);
      const Label name = plan(sent.residue).sent_as.empty() ? asked.residue : plan(sent.residue).sent_as;
      const auto is_of_it = [&](const Atom& atom) {
        return atom.residue == name && atom.chain == asked.chain && atom.segment == asked.segment &&
               atom.residue_number == asked.residue_number && atom.insertion_code == asked.insertion_code;
      };
      const std::size_t begin = at;
      while (at < answer_.size() && is_of_it(answer_[at]) && (at == begin || !answer_[at - 1].ends_chain))
        ++at;
      sent.answer = std::span(answer_).subspan(begin, at - begin);
      if (at == begin && acts(sent.residue))
        lost_.push_back({sent.residue, {}, {}});
      else if (at > begin && plan(sent.residue).fate != ResidueFate::ion)
        find_lost_atoms(sent);
    }
    refuse_lost();
  }

  void find_lost_atoms(const SentResidue& sent) {
    const std::span<const Atom> atoms = atoms_of(sent.residue);
    const ResiduePlan& how = plan(sent.residue);
    std::vector<std::size_t> in_goal;
    if (how.fate == ResidueFate::made) {
      in_goal = numbers_in_goal(atoms, *how.goal);
      std::string lacks;
      for (const Label& name : unbuilt_atoms(atoms, how)) lacks += ' ' + std::string(name.view());
      if (!lacks.empty()) return lost_.push_back({sent.residue, {}, std::move(lacks)});
    }
    for (std::size_t n = 0; n < atoms.size(); ++n) {
      if (element_of(atoms[n]) == "H") continue;
      const bool is_removed = how.loses_phosphate && is_phosphate_atom(atoms[n].name.view());
      if (!in_goal.empty() && in_goal[n] == ResidueTemplate::no_atom && !is_removed)
        lost_.push_back({sent.residue, atoms[n].name, {}});
      if (sent.names[n].empty()) continue;
      const bool came_back = std::any_of(sent.answer.begin(), sent.answer.end(),
                                         [&](const Atom& atom) { return atom.name == sent.names[n]; });
      const bool is_of_end = has_one_end(sent.residue) && atoms[n].name == Label("OXT");
      if (!came_back && !is_of_end) lost_.push_back({sent.residue, atoms[n].name, {}});
    }
  }

  /// An amino acid alone, of which PDB2PQR makes the first of a chain only.
  bool has_one_end(std::uint32_t r) const {
    if (chemistry_.residues[r].role != ResidueRole::amino_acid || plan(r).fate != ResidueFate::sent)
      return false;
    const ResidueEnds ends = ends_of(chemistry_, r);
    return ends.is_first && ends.is_last;
  }

  std::string lost_text() const {
    std::vector<std::string> names;
    for (const Loss& loss : lost_)
      names.push_back(name_of(loss.residue) + (loss.atom.empty() ? "" : " ") + std::string(loss.atom.view()) +
                      (loss.lacks.empty() ? "" : " (lacks" + loss.lacks + ')'));
    return first_names(names);
  }

  void refuse_lost() const {
    if (lost_.empty() || options_.choices.allow_missing) return;
    fail(entry_->path, ": PDB2PQR has no charges for ", lost_text(),
         "; correct them or build what is missing around them, leave them out by --ignore, or run with "
         "--allow-missing, which drops them");
  }

  std::vector<Atom> put_together() const {
    std::vector<const SentResidue*> sent_of(chemistry_.residues.size(), nullptr);
    for (const SentResidue& sent : sent_.residues) sent_of[sent.residue] = &sent;
    std::vector<Atom> result;
    for (std::uint32_t r = 0; r < chemistry_.residues.size(); ++r) {
      const std::size_t begin = result.size();
      std::vector<Atom> made = charged(r, sent_of[r]);
      const std::uint32_t before = chemistry_.residues[r].before;
      if (before != nothing && chemistry_.residues[before].role == ResidueRole::cap)
        turn_amide_hydrogen(made, atoms_of(r), atoms_of(before));
      for (Atom& atom : made) {
        atom.ends_chain = false;
        result.push_back(atom);
      }
      const std::span<const Atom> atoms = atoms_of(r);
      const bool ends_chain =
          std::any_of(atoms.begin(), atoms.end(), [](const Atom& atom) { return atom.ends_chain; });
      if ((ends_chain || breaks_behind(r)) && !result.empty() && result.size() > begin)
        result.back().ends_chain = true;
    }
    return result;
  }

  /// At a gap one piece ends, and another begins; behind a cap, if there is one.
  bool breaks_behind(std::uint32_t r) const {
    return chemistry_.residues[r].after == nothing &&
           std::any_of(chemistry_.gaps.begin(), chemistry_.gaps.end(),
                       [r](const ChainGap& gap) { return gap.before == r; });
  }

  static std::vector<Atom> uncharged(std::span<const Atom> atoms) {
    std::vector<Atom> plain(atoms.begin(), atoms.end());
    for (Atom& atom : plain) atom.radius_A = amber_radius_A(element_of(atom));
    return plain;
  }

  std::vector<Atom> charged(std::uint32_t r, const SentResidue* sent) const {
    const std::span<const Atom> atoms = atoms_of(r);
    const ResiduePlan& how = plan(r);
    if (sent != nullptr && sent->answer.empty()) return acts(r) ? std::vector<Atom>() : uncharged(atoms);
    switch (how.fate) {
      case ResidueFate::water:
      case ResidueFate::removed:
      case ResidueFate::refused:
        return {};
      case ResidueFate::ligand:
        return options_.ligands.charged(atoms);
      case ResidueFate::table:
        return made_cap(atoms, *how.goal);
      case ResidueFate::uncharged:
        return uncharged(atoms);
      case ResidueFate::made: {
        const bool is_amber = options_.force_field == ChargeForceField::amber;
        return made_residue(atoms, sent->names, how, sent->answer, is_amber);
      }
      case ResidueFate::sent:
      case ResidueFate::ion:
        break;
    }
    std::vector<Atom> result(sent->answer.begin(), sent->answer.end());
    mend_carboxylate(result);
    if (!how.is_replaced && !how.sent_as.empty())
      for (Atom& atom : result) atom.residue = atoms.front().residue;
    return result;
  }

  /// Of atoms that a modified residue does not have, nothing is said.
  void add_built_warning(const std::vector<BuiltAtom>& built, std::vector<std::string>& warnings) const {
    std::int64_t count = 0;
    std::string names;
    for (const BuiltAtom& atom : built) {
      const auto sent = std::find_if(sent_.residues.begin(), sent_.residues.end(),
                                     [&](const SentResidue& other) { return other.begin == atom.first; });
      if (sent == sent_.residues.end()) continue;
      const ResiduePlan& how = plan(sent->residue);
      const bool is_dropped = how.fate == ResidueFate::made && !takes_built_atom(how, atom.name);
      if (is_dropped) continue;
      constexpr std::int64_t most = 8;
      if (count < most)
        names += (count == 0 ? "" : ", ") + describe_residue(first(sent->residue)) + ' ' + atom.name;
      if (count++ == most) names += ", ...";
    }
    if (count > 0)
      warnings.push_back(entry_->path + ": missing in the file and built by PDB2PQR: " +
                         count_of(count, "atom") + " (" + names + ')');
  }

  void add_gap_warnings(std::vector<std::string>& warnings) const {
    for (const ChemistryDecision& row : decisions_.rows)
      if (row.what.starts_with("a gap after "))
        warnings.push_back(entry_->path + ": " + describe_residue(first(row.residue)) + ": " + row.what +
                           " (" + row.why + ')');
  }

  void add_loss_warnings(std::vector<std::string>& warnings) const {
    if (!lost_.empty())
      warnings.push_back(entry_->path + ": left out, since PDB2PQR has no charges for them: " + lost_text());
    std::vector<std::string> alone;
    for (const std::uint32_t r : residues_where(&EntryCharger::has_one_end)) alone.push_back(name_of(r));
    if (!alone.empty())
      warnings.push_back(entry_->path + ": residues alone have the NH3+ of a first residue, and no COO-: " +
                         first_names(alone));
  }

  const Structure* entry_;  // with caps, `capped_`
  Structure capped_;
  const EntryOptions& options_;
  std::vector<std::uint8_t> acts_;
  Chemistry chemistry_;
  ChemistryDecisions decisions_;
  SentEntry sent_;
  std::vector<Atom> answer_;
  std::vector<Loss> lost_;
};

}  // namespace

std::vector<ChemistryRow> chemistry_rows(const Structure& entry, const EntryRecords& records,
                                         const EntryOptions& options) {
  return EntryCharger(entry, records, options).rows();
}

ChargedEntry charge_entry(const Structure& entry, const EntryRecords& records, const EntryOptions& options,
                          const std::function<ChargedStructure(const Structure&)>& program) {
  EntryPart part{entry, records, options.acts};
  EntryOptions how = options;
  std::vector<ChemistryRow> left_out;
  std::vector<std::string> names;
  for (;;) {
    how.acts = part.acts;
    EntryCharger charger(part.structure, part.records, how);
    std::vector<std::uint32_t> gone = charger.residues_where(&EntryCharger::is_without_charges);
    ChargedEntry charged;
    if (gone.empty()) {
      charged = charger.charge(program);
      gone = charger.lost_residues();
    }
    if (gone.empty()) {
      charged.rows.insert(charged.rows.begin(), left_out.begin(), left_out.end());
      if (!names.empty())
        charged.structure.warnings.push_back(entry.path +
                                             ": left out, since they have no charges: " + first_names(names));
      return charged;
    }
    // Their neighbours are ends of chains then, of which PDB2PQR has to know.
    std::vector<std::uint8_t> is_taken(part.structure.atoms.size(), 0);
    for (const std::uint32_t r : gone) {
      flag_residue(charger.first(r), part.structure.atoms, is_taken);  // it has no caps yet
      names.push_back(charger.name_of(r));
      left_out.push_back({names.back(), "left out", "without charges, --allow-missing", {}, true});
    }
    if (std::find(is_taken.begin(), is_taken.end(), 1) == is_taken.end())
      fail(entry.path, ": PDB2PQR has no charges for ", first_names(names), "; leave them out by --ignore");
    take_out(part, is_taken);
    if (part.structure.atoms.empty())
      fail(entry.path, ": nothing is left: no residue of it has charges; is it the file that was meant?");
  }
}

}  // namespace ionwell
