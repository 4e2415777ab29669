// SPDX-License-Identifier: BSD-3-Clause
#include "input/entry_charges.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <optional>
#include <utility>

#include "chemistry/decisions/atoms_to_build.hpp"
#include "chemistry/decisions/cap_geometry.hpp"
#include "chemistry/decisions/decisions.hpp"
#include "chemistry/decisions/gap_caps.hpp"
#include "chemistry/decisions/held_side_chain.hpp"
#include "chemistry/decisions/made_residue.hpp"
#include "chemistry/decisions/residue_ends.hpp"
#include "chemistry/decisions/sent_names.hpp"
#include "chemistry/decisions/side_chain_turns.hpp"
#include "chemistry/decisions/surplus_oxygens.hpp"
#include "chemistry/perception/recorded_atoms.hpp"
#include "core/error.hpp"
#include "core/text/count_text.hpp"
#include "core/text/first_names.hpp"
#include "core/text/note.hpp"
#include "input/entry_losses.hpp"
#include "input/entry_part.hpp"
#include "input/entry_warnings.hpp"
#include "input/ester_oxygen.hpp"
#include "input/held_residues.hpp"
#include "input/rounded_residue.hpp"
#include "input/sent_entry.hpp"
#include "programs/pdb2pqr_states.hpp"
#include "structures/solute_elements.hpp"

namespace ionwell {
namespace {

class EntryCharger {
 public:
  EntryCharger(const EntryCharger&) = delete;
  EntryCharger(const Structure& entry, const EntryRecords& records, Chemistry chemistry,
               const EntryOptions& options)
      : entry_(&entry),
        options_(options),
        acts_(options.acts),
        records_(records),
        chemistry_(std::move(chemistry)) {
    ResidueUse use{.acts = [this](std::uint32_t r) { return acts(r); },
                   .is_ignored = [this](std::uint32_t r) { return is_ignored(r); },
                   .has_charges = [this](std::string_view name) { return options_.ligands.has(name); }};
    std::vector<ExchangedPlaces> turns = turns_at_metals(entry_->atoms, chemistry_, options.choices, use);
    std::ranges::move(surplus_oxygens(entry_->atoms, chemistry_), std::back_inserter(turns));
    std::vector<EarlyRow> early;
    for (const ExchangedPlaces& turn : turns)
      early.push_back({chemistry_.residues[turn.residue].begin, turn.what, turn.why});
    if (!turns.empty()) exchange_places(turns);
    const std::vector<AtomToBuild> built =
        atoms_to_build(entry_->atoms, chemistry_, records_, options.choices, use);
    for (const AtomToBuild& atom : built)
      early.push_back({chemistry_.residues[atom.residue].begin, atom.what, atom.why});
    if (!built.empty()) {
      CompletedEntry completed = completed_entry(entry_->atoms, records_, chemistry_, built);
      records_ = std::move(completed.records);
      take(std::move(completed.atoms), completed.origins);
      chemistry_ = perceive(entry_->atoms, records_);
    }
    CappedEntry capped;
    if (options.choices.gap_ends == GapEnds::capped && !chemistry_.gaps.empty()) {
      capped = cap_gaps(entry_->atoms, records_, chemistry_, use);
      take(std::move(capped.atoms), capped.origins);
      chemistry_ = std::move(capped.chemistry);
      use.charged_ends = capped.charged_ends;
    }
    std::vector<ResiduePka> pkas;
    if (options.choices.pH && options.predict_pkas) pkas = options.predict_pkas(*entry_, chemistry_);
    use.pkas = pkas;
    use.has_state = [this](std::string_view state, bool is_at_end) {
      return has_state(options_.force_field, state, is_at_end);
    };
    use.uses_libraries = options_.force_field == ChargeForceField::amber;
    decisions_ = decide(entry_->atoms, chemistry_, records_, options.choices, use);
    bound_ = bound_side_chain_atoms(entry_->atoms, chemistry_, options.choices, use);
    std::vector<ChemistryDecision> rows;
    for (const EarlyRow& row : early) rows.push_back({residue_that_began(row.begin), row.what, row.why, {}});
    add_rows(rows);
  }

  std::vector<ChemistryRow> rows() const {
    std::vector<ChemistryRow> rows = entry_rows(entry_->atoms, chemistry_, decisions_, lost_);
    std::ranges::move(crystal_rows(entry_->atoms, chemistry_, decisions_, options_.waters),
                      std::back_inserter(rows));
    return rows;
  }

  /// Whether it is left out by --allow-missing before PDB2PQR runs.
  bool is_without_charges(std::uint32_t r) const {
    return plan(r).fate == ResidueFate::removed &&
           (is_polymer(chemistry_.residues[r].role) || is_incomplete(r));
  }

  /// Of a residue that is left out.
  std::string why_left_out(std::uint32_t r) const {
    for (const ChemistryDecision& row : decisions_.rows)
      if (row.residue == r && row.what == "left out") return row.why;
    return "without charges, --allow-missing";
  }

  /// Sets the flags of its atoms, by their numbers in the entry before atoms were built.
  void flag_atoms(std::uint32_t r, std::vector<std::uint8_t>& flags) const {
    const PerceivedResidue& residue = chemistry_.residues[r];
    for (std::uint32_t n = residue.begin; n < residue.end; ++n) flags[origins_.empty() ? n : origins_[n]] = 1;
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
    for (const EntryLoss& loss : lost_)
      if (loss.atom.empty()) residues.push_back(loss.residue);
    return residues;
  }

  const Atom& first(std::uint32_t r) const { return atoms_of(r).front(); }
  std::string name_of(std::uint32_t r) const { return describe_residue(first(r)); }

  ChargedEntry charge(const std::function<ChargedStructure(const Structure&)>& program) {
    refuse_residues(entry_->path, entry_->atoms, chemistry_, decisions_);
    sent_ = sent_entry(*entry_, chemistry_, decisions_);
    ChargedStructure answer;
    answer.structure.warnings = entry_->warnings;
    if (!sent_.residues.empty()) answer = program(sent_.structure);
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
      structure.warnings.push_back(note(entry_->path + ": " + count_of(sent_.waters, "water") +
                                        (sent_.waters == 1 ? " was" : " were") + " left out"));
    add_built_warning(*entry_, chemistry_, decisions_, sent_.residues, answer.built, structure.warnings);
    add_gap_warnings(*entry_, chemistry_, decisions_, structure.warnings);
    add_loss_warnings(structure.warnings);
    charged.rows = rows();
    charged.links = recorded_bonds(entry_->atoms, chemistry_.links);
    return charged;
  }

 private:
  /// Of what is changed before all else is decided.
  struct EarlyRow {
    std::uint32_t begin = 0;  // the first atom of its residue in the entry
    std::string what, why;
  };

  void add_rows(const std::vector<ChemistryDecision>& rows) {
    decisions_.rows.insert(decisions_.rows.end(), rows.begin(), rows.end());
    std::stable_sort(decisions_.rows.begin(), decisions_.rows.end(),
                     [](const auto& a, const auto& b) { return a.residue < b.residue; });
  }

  void exchange_places(std::span<const ExchangedPlaces> turns) {
    std::vector<std::uint32_t> origins(entry_->atoms.size());
    std::iota(origins.begin(), origins.end(), 0U);
    take(exchanged(entry_->atoms, turns), origins);
    chemistry_ = perceive(entry_->atoms, records_);
  }

  bool is_incomplete(std::uint32_t r) const { return !plan(r).lacks.empty(); }

  /// Atoms that are built become part of the entry; they act where their neighbours do.
  void take(std::vector<Atom> atoms, std::span<const std::uint32_t> origins) {
    completed_ = {entry_->path, std::move(atoms), entry_->warnings, {}, entry_->cell};
    entry_ = &completed_;
    std::vector<std::uint8_t> acts;
    std::vector<std::uint32_t> first_origins;
    for (const std::uint32_t origin : origins) {
      if (!acts_.empty()) acts.push_back(acts_[origin]);
      first_origins.push_back(origins_.empty() ? origin : origins_[origin]);
    }
    acts_ = std::move(acts);
    origins_ = std::move(first_origins);
  }

  /// The residue whose first atom had that number in the entry; a cap before it has the same one.
  std::uint32_t residue_that_began(std::uint32_t atom) const {
    const auto behind =
        std::upper_bound(chemistry_.residues.begin(), chemistry_.residues.end(), atom,
                         [&](std::uint32_t wanted, const PerceivedResidue& residue) {
                           return wanted < (origins_.empty() ? residue.begin : origins_[residue.begin]);
                         });
    return std::uint32_t(behind - chemistry_.residues.begin()) - 1;
  }

  const ResiduePlan& plan(std::uint32_t r) const { return decisions_.plans[r]; }
  std::span<const Atom> atoms_of(std::uint32_t r) const {
    const PerceivedResidue& residue = chemistry_.residues[r];
    return std::span(entry_->atoms).subspan(residue.begin, residue.end - residue.begin);
  }

  bool acts(std::uint32_t r) const { return acts_.empty() || count_atoms(r, 1) > 0; }
  bool is_ignored(std::uint32_t r) const { return !acts_.empty() && count_atoms(r, ignored_atom) > 0; }
  std::ptrdiff_t count_atoms(std::uint32_t r, std::uint8_t use) const {
    return std::ranges::count(std::span(acts_).subspan(chemistry_.residues[r].begin, atoms_of(r).size()),
                              use);
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
        lost_.push_back({sent.residue, {}});
      else if (at > begin && plan(sent.residue).fate != ResidueFate::ion)
        add_lost_atoms(entry_->atoms, chemistry_, plan(sent.residue), sent, lost_);
    }
    refuse_lost();
    add_rows(hold_bound_atoms(entry_->atoms, chemistry_, decisions_, bound_, sent_.residues, answer_));
  }

  /// Between residues that are not ignored.
  std::vector<EsterBond> esters() const {
    std::vector<EsterBond> esters = ester_bonds(entry_->atoms, chemistry_);
    std::erase_if(esters, [&](const EsterBond& ester) {
      return is_ignored(chemistry_.residue_of(ester.oxygen)) ||
             is_ignored(chemistry_.residue_of(ester.carbon));
    });
    return esters;
  }

  /// Its C is bound to a nucleotide.
  bool is_esterified(const std::vector<EsterBond>& bonds, std::uint32_t r) const {
    return std::ranges::any_of(
        bonds, [&](const EsterBond& ester) { return chemistry_.residue_of(ester.carbon) == r; });
  }

  std::string lost_text() const {
    std::vector<std::string> names;
    for (const EntryLoss& loss : lost_)
      names.push_back(name_of(loss.residue) + (loss.atom.empty() ? "" : " ") + std::string(loss.atom.view()));
    return first_names(names);
  }

  void refuse_lost() const {
    if (lost_.empty() || options_.choices.allow_missing) return;
    fail(entry_->path, ": PDB2PQR has no charges for ", lost_text(),
         "; correct them or build the missing atoms around them, leave them out with --ignore, or use "
         "--allow-missing, which drops them");
  }

  std::vector<Atom> put_together() const {
    std::vector<const SentResidue*> sent_of(chemistry_.residues.size(), nullptr);
    for (const SentResidue& sent : sent_.residues) sent_of[sent.residue] = &sent;
    std::vector<Atom> result;
    const std::vector<EsterBond> bonds = esters();
    for (std::uint32_t r = 0; r < chemistry_.residues.size(); ++r) {
      const std::size_t begin = result.size();
      std::vector<Atom> made = charged(r, sent_of[r]);
      for (const EsterBond& ester : bonds)
        if (chemistry_.residue_of(ester.oxygen) == r) open_ester(made, chemistry_, ester);
      const std::uint32_t before = chemistry_.residues[r].before;
      if (before != nothing && chemistry_.residues[before].role == ResidueRole::cap)
        turn_amide_hydrogen(made, atoms_of(r), atoms_of(before));
      for (Atom& atom : made) {
        atom.ends_chain = false;
        result.push_back(atom);
      }
      const bool ends_chain = std::ranges::any_of(atoms_of(r), &Atom::ends_chain);
      if ((ends_chain || breaks_behind(chemistry_, r)) && !result.empty() && result.size() > begin)
        result.back().ends_chain = true;
    }
    return result;
  }

  std::vector<Atom> charged(std::uint32_t r, const SentResidue* sent) const {
    const std::span<const Atom> atoms = atoms_of(r);
    const ResiduePlan& how = plan(r);
    if (sent != nullptr && sent->answer.empty())
      return acts(r) ? std::vector<Atom>() : uncharged_atoms(atoms);
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
        return uncharged_atoms(atoms);
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
    if (chemistry_.residues[r].role == ResidueRole::amino_acid) round_net_charge(result);
    return result;
  }

  void add_loss_warnings(std::vector<std::string>& warnings) const {
    if (!lost_.empty())
      warnings.push_back(entry_->path +
                         ": left out, because PDB2PQR has no charges for them: " + lost_text());
    std::vector<std::string> alone;
    const std::vector<EsterBond> bonds = esters();
    for (std::uint32_t r = 0; r < chemistry_.residues.size(); ++r)
      if (has_one_end(chemistry_, r, plan(r)) && !is_esterified(bonds, r)) alone.push_back(name_of(r));
    if (!alone.empty())
      warnings.push_back(entry_->path + ": single residues have the NH3+ of a first residue, but no COO-: " +
                         first_names(alone));
  }

  const Structure* entry_;  // with atoms that are built, `completed_`
  Structure completed_;
  const EntryOptions& options_;
  std::vector<std::uint8_t> acts_;
  std::vector<std::uint32_t> origins_;  // by atom, where some are built: its number in the entry without
  EntryRecords records_;
  Chemistry chemistry_;
  ChemistryDecisions decisions_;
  SentEntry sent_;
  std::vector<Atom> answer_;
  std::vector<EntryLoss> lost_;
  std::vector<BoundAtom> bound_;
};

}  // namespace

std::vector<ChemistryRow> chemistry_rows(const Structure& entry, const EntryRecords& records,
                                         Chemistry chemistry, const EntryOptions& options) {
  return EntryCharger(entry, records, std::move(chemistry), options).rows();
}

ChargedEntry charge_entry(Structure entry, EntryRecords records, const EntryOptions& options,
                          const std::function<ChargedStructure(const Structure&)>& program) {
  EntryPart part{std::move(entry), std::move(records), options.acts};
  const std::string& path = part.structure.path;
  EntryOptions how = options;
  std::vector<ChemistryRow> left_out;
  std::vector<std::string> names;
  for (;;) {
    how.acts = part.acts;
    EntryCharger charger(part.structure, part.records, perceive(part.structure.atoms, part.records), how);
    std::vector<std::uint32_t> gone = charger.residues_where(&EntryCharger::is_without_charges);
    ChargedEntry charged;
    if (gone.empty()) {
      charged = charger.charge(program);
      gone = charger.lost_residues();
    }
    if (gone.empty()) {
      charged.rows.insert(charged.rows.begin(), left_out.begin(), left_out.end());
      if (!names.empty())
        charged.structure.warnings.push_back(path +
                                             ": left out because of --allow-missing: " + first_names(names));
      return charged;
    }
    // Their neighbours are ends of chains then, of which PDB2PQR has to know.
    std::vector<std::uint8_t> is_taken(part.structure.atoms.size(), 0);
    for (const std::uint32_t r : gone) {
      charger.flag_atoms(r, is_taken);
      names.push_back(charger.name_of(r));
      left_out.push_back({names.back(), "left out", charger.why_left_out(r), {}});
    }
    if (std::find(is_taken.begin(), is_taken.end(), 1) == is_taken.end())
      fail(path, ": PDB2PQR has no charges for ", first_names(names), "; leave them out with --ignore");
    take_out(part, is_taken);
    if (part.structure.atoms.empty())
      fail(path, ": no residue has charges, so nothing is left; is it the right file?");
  }
}

}  // namespace ionwell
