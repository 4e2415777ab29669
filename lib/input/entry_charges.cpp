#include "input/entry_charges.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "chemistry/decisions/decisions.hpp"
#include "chemistry/decisions/made_residue.hpp"
#include "chemistry/decisions/residue_ends.hpp"
#include "chemistry/decisions/sent_names.hpp"
#include "core/error.hpp"
#include "core/text/count_text.hpp"
#include "programs/pdb2pqr_states.hpp"
#include "structures/selection/selection.hpp"
#include "structures/solute_elements.hpp"

namespace ionwell {
namespace {

/// A residue as PDB2PQR gets it, and what came back.
struct SentResidue {
  std::uint32_t residue = 0;
  std::size_t begin = 0;     // of its atoms in what is sent
  std::vector<Label> names;  // by atom of the residue; empty: it is not sent
  std::span<const Atom> answer;
};

/// What PDB2PQR takes for a residue that it does not know, and which has no charges there: behind it a chain
/// goes on, and so it does before it.
constexpr std::string_view stand_in = "NME";

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
  EntryCharger(const Structure& entry, const EntryRecords& records, const EntryOptions& options)
      : entry_(entry), options_(options), chemistry_(perceive(entry.atoms, records)) {
    std::vector<ResiduePka> pkas;
    if (options.choices.pH && options.predict_pkas) pkas = options.predict_pkas(entry, chemistry_);
    const ResidueUse use{
        .acts = [this](std::uint32_t r) { return acts(r); },
        .has_charges = [this](std::string_view name) { return options_.ligands.has(name); },
        .pkas = pkas,
        .has_state = [this](std::string_view state,
                            bool is_at_end) { return has_state(options_.force_field, state, is_at_end); },
        .uses_libraries = options_.force_field == ChargeForceField::amber};
    decisions_ = decide(entry.atoms, chemistry_, records, options.choices, use);
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
      for (; noted < chemistry_.notes.size() && chemistry_.notes[noted].residue == r; ++noted)
        if (!is_decided || !tells_decided(chemistry_.notes[noted].what))
          rows.push_back({name, chemistry_.notes[noted].what, chemistry_.notes[noted].why, {}});
    }
    return rows;
  }

  ChargedEntry charge(const std::function<ChargedStructure(const Structure&)>& program) {
    refuse_residues(entry_.path, entry_.atoms, chemistry_, decisions_);
    make_sent();
    ChargedStructure answer;
    if (sent_.empty())
      answer.structure.warnings = entry_.warnings;
    else
      answer = program(sent_structure_);
    read(answer.structure.atoms);
    ChargedEntry charged;
    charged.note = answer.note;
    Structure& structure = charged.structure;
    structure.path = entry_.path;
    structure.cell = entry_.cell;
    structure.atoms = put_together();
    structure.warnings = std::move(answer.structure.warnings);
    if (waters_ > 0)
      structure.warnings.push_back(entry_.path + ": " + count_of(waters_, "water") +
                                   (waters_ == 1 ? " was" : " were") + " left out");
    add_built_warning(answer.built, structure.warnings);
    add_gap_warnings(structure.warnings);
    charged.rows = rows();
    return charged;
  }

 private:
  const ResiduePlan& plan(std::uint32_t r) const { return decisions_.plans[r]; }
  std::span<const Atom> atoms_of(std::uint32_t r) const {
    const PerceivedResidue& residue = chemistry_.residues[r];
    return std::span(entry_.atoms).subspan(residue.begin, residue.end - residue.begin);
  }
  const Atom& first(std::uint32_t r) const { return atoms_of(r).front(); }

  bool acts(std::uint32_t r) const {
    if (options_.acts.empty()) return true;
    const PerceivedResidue& residue = chemistry_.residues[r];
    return std::any_of(options_.acts.begin() + residue.begin, options_.acts.begin() + residue.end,
                       [](std::uint8_t a) { return a != 0; });
  }

  static bool goes_to_program(ResidueFate fate) {
    return fate == ResidueFate::sent || fate == ResidueFate::made || fate == ResidueFate::ion;
  }

  void make_sent() {
    sent_structure_.path = entry_.path;
    sent_structure_.warnings = entry_.warnings;
    for (std::uint32_t r = 0; r < chemistry_.residues.size(); ++r) {
      waters_ += plan(r).fate == ResidueFate::water ? 1 : 0;
      const std::uint32_t piece = chemistry_.residues[r].piece;
      if (piece != nothing && piece != last_piece_) end_piece(piece);
      if (!goes_to_program(plan(r).fate)) {
        if (is_bound(r)) add_stand_in(r);
        continue;
      }
      if (plan(r).fate == ResidueFate::ion) {
        ions_.push_back(r);
        continue;
      }
      send(r);
    }
    end_piece(nothing);
    for (const std::uint32_t r : ions_) send(r);  // behind the chains, which they are no ends of
  }

  /// Whether neighbours are bound to a residue that PDB2PQR does not get.
  bool is_bound(std::uint32_t r) const {
    const PerceivedResidue& residue = chemistry_.residues[r];
    return plan(r).fate != ResidueFate::removed && residue.piece != nothing &&
           (residue.before != nothing || residue.after != nothing);
  }

  /// Also closes the ring of the last one, and opens that of the next.
  void end_piece(std::uint32_t next) {
    if (last_piece_ != nothing && chemistry_.pieces[last_piece_].is_ring)
      add_stand_in(chemistry_.pieces[last_piece_].residues.front());
    if (!sent_structure_.atoms.empty()) sent_structure_.atoms.back().ends_chain = true;
    last_piece_ = next;
    if (next != nothing && chemistry_.pieces[next].is_ring)
      add_stand_in(chemistry_.pieces[next].residues.back());
  }

  /// Of three atoms, as fewer are taken for a remainder.
  void add_stand_in(std::uint32_t r) {
    const std::span<const Atom> atoms = atoms_of(r);
    constexpr std::string_view names[] = {"X1", "X2", "X3"};
    for (std::size_t n = 0; n < std::size(names); ++n) {
      Atom atom = atoms[std::min(n, atoms.size() - 1)];
      atom.residue = stand_in;
      atom.name = names[n];
      atom.element = "C";
      atom.ends_chain = false;
      sent_structure_.atoms.push_back(atom);
    }
  }

  void send(std::uint32_t r) {
    const ResiduePlan& how = plan(r);
    const std::span<const Atom> atoms = atoms_of(r);
    SentResidue sent{r, sent_structure_.atoms.size(), {}, {}};
    if (how.parent != nullptr) {
      sent.names = sent_names(atoms, how);
    } else {
      for (const Atom& atom : atoms)
        sent.names.push_back(how.loses_phosphate && is_phosphate(atom.name.view()) ? Label() : atom.name);
    }
    for (std::size_t n = 0; n < atoms.size(); ++n) {
      if (sent.names[n].empty()) continue;
      Atom atom = atoms[n];
      atom.name = sent.names[n];
      if (atom.name != atoms[n].name) atom.element = {};
      if (!how.sent_as.empty()) atom.residue = how.sent_as;
      atom.ends_chain = false;
      sent_structure_.atoms.push_back(atom);
    }
    sent_.push_back(std::move(sent));
    if (how.fate == ResidueFate::ion) sent_structure_.atoms.back().ends_chain = true;
  }

  static bool is_phosphate(std::string_view name) {
    constexpr std::string_view names[] = {"P",   "OP1",  "OP2",  "OP3", "O1P", "O2P",
                                          "O3P", "HOP3", "HOP2", "H3P", "O5T"};
    return std::find(std::begin(names), std::end(names), name) != std::end(names);
  }

  /// Finds the residues of the answer, which are in the order in which they were sent.
  void read(const std::vector<Atom>& answer) {
    answer_ = answer;
    std::size_t at = 0;
    for (SentResidue& sent : sent_) {
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
        lost_.push_back(describe_residue(asked));
      else if (at > begin && plan(sent.residue).fate != ResidueFate::ion)
        find_lost_atoms(sent);
    }
    refuse_lost();
  }

  void find_lost_atoms(const SentResidue& sent) {
    const std::span<const Atom> atoms = atoms_of(sent.residue);
    const ResidueEnds ends = ends_of(chemistry_, sent.residue);
    for (std::size_t n = 0; n < atoms.size(); ++n) {
      if (sent.names[n].empty() || element_of(atoms[n]) == "H") continue;
      const bool came_back = std::any_of(sent.answer.begin(), sent.answer.end(),
                                         [&](const Atom& atom) { return atom.name == sent.names[n]; });
      const bool is_alone = ends.is_first && ends.is_last;  // PDB2PQR gives it one end only, and says so
      if (!came_back && !(is_alone && atoms[n].name == Label("OXT"))) lost_.push_back(describe(atoms[n]));
    }
  }

  void refuse_lost() const {
    if (lost_.empty() || options_.choices.allow_missing) return;
    constexpr std::size_t most = 12;
    std::string text;
    for (std::size_t n = 0; n < lost_.size() && n < most; ++n) text += (n == 0 ? "" : ", ") + lost_[n];
    if (lost_.size() > most) text += " and " + grouped(std::int64_t(lost_.size() - most)) + " more";
    fail(entry_.path, ": PDB2PQR has no charges for ", text,
         "; correct them, leave them out by --ignore, or run with --allow-missing, which drops them");
  }

  std::vector<Atom> put_together() const {
    std::vector<const SentResidue*> sent_of(chemistry_.residues.size(), nullptr);
    for (const SentResidue& sent : sent_) sent_of[sent.residue] = &sent;
    std::vector<Atom> result;
    for (std::uint32_t r = 0; r < chemistry_.residues.size(); ++r) {
      const std::size_t begin = result.size();
      for (Atom atom : charged(r, sent_of[r])) {
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

  /// At a gap one piece ends, and another begins.
  bool breaks_behind(std::uint32_t r) const {
    return std::any_of(chemistry_.gaps.begin(), chemistry_.gaps.end(),
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
    if (!how.is_replaced && !how.sent_as.empty())
      for (Atom& atom : result) atom.residue = atoms.front().residue;
    return result;
  }

  /// Of atoms that a modified residue does not have, nothing is said.
  void add_built_warning(const std::vector<BuiltAtom>& built, std::vector<std::string>& warnings) const {
    std::int64_t count = 0;
    std::string names;
    for (const BuiltAtom& atom : built) {
      const auto sent = std::find_if(sent_.begin(), sent_.end(),
                                     [&](const SentResidue& other) { return other.begin == atom.first; });
      if (sent == sent_.end()) continue;
      const ResiduePlan& how = plan(sent->residue);
      const bool is_dropped =
          how.fate == ResidueFate::made && how.goal->find(atom.name) == ResidueTemplate::no_atom;
      if (is_dropped) continue;
      constexpr std::int64_t most = 8;
      if (count < most)
        names += (count == 0 ? "" : ", ") + describe_residue(first(sent->residue)) + ' ' + atom.name;
      if (count++ == most) names += ", ...";
    }
    if (count > 0)
      warnings.push_back(entry_.path + ": missing in the file and built by PDB2PQR: " +
                         count_of(count, "atom") + " (" + names + ')');
  }

  void add_gap_warnings(std::vector<std::string>& warnings) const {
    for (const ChemistryDecision& row : decisions_.rows)
      if (row.what.starts_with("a gap after "))
        warnings.push_back(entry_.path + ": " + describe_residue(first(row.residue)) + ": " + row.what +
                           " (" + row.why + ')');
  }

  const Structure& entry_;
  const EntryOptions& options_;
  Chemistry chemistry_;
  ChemistryDecisions decisions_;
  Structure sent_structure_;
  std::vector<SentResidue> sent_;
  std::vector<std::uint32_t> ions_;
  std::vector<Atom> answer_;
  std::vector<std::string> lost_;
  std::uint32_t last_piece_ = nothing;
  std::int64_t waters_ = 0;
};

}  // namespace

EntryOptions entry_options(std::span<const Atom> atoms, const InputOptions& options) {
  EntryOptions entry{.choices = options.chemistry,
                     .force_field = options.charges.value_or(ChargeForceField::amber),
                     .ligands = LigandCharges(options.ligands),
                     .predict_pkas = {},
                     .acts = {}};
  if (!options.solute.empty()) entry.acts = select(atoms, options.solute);
  if (options.ignore.empty()) return entry;
  const std::vector<std::uint8_t> ignored = select(atoms, options.ignore);
  if (entry.acts.empty()) entry.acts.assign(ignored.size(), 1);
  for (std::size_t i = 0; i < ignored.size(); ++i) entry.acts[i] = entry.acts[i] && !ignored[i];
  return entry;
}

std::vector<ChemistryRow> chemistry_rows(const Structure& entry, const EntryRecords& records,
                                         const EntryOptions& options) {
  return EntryCharger(entry, records, options).rows();
}

ChargedEntry charge_entry(const Structure& entry, const EntryRecords& records, const EntryOptions& options,
                          const std::function<ChargedStructure(const Structure&)>& program) {
  return EntryCharger(entry, records, options).charge(program);
}

}  // namespace ionwell
