// SPDX-License-Identifier: BSD-3-Clause
#include "input/sent_entry.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "chemistry/decisions/sent_names.hpp"
#include "chemistry/templates/residue_match.hpp"
#include "chemistry/templates/residue_table.hpp"

namespace ionwell {
namespace {

/// What PDB2PQR takes for a residue that it does not know, and which has no charges there: behind it a chain
/// goes on, and so it does before it.
constexpr std::string_view stand_in = "NME";

class EntrySender {
 public:
  EntrySender(const Structure& entry, const Chemistry& chemistry, const ChemistryDecisions& decisions)
      : entry_(entry), chemistry_(chemistry), decisions_(decisions) {}

  SentEntry sent() {
    make_sent();
    return std::move(sent_);
  }

 private:
  const ResiduePlan& plan(std::uint32_t r) const { return decisions_.plans[r]; }
  std::span<const Atom> atoms_of(std::uint32_t r) const {
    const PerceivedResidue& residue = chemistry_.residues[r];
    return std::span(entry_.atoms).subspan(residue.begin, residue.end - residue.begin);
  }

  static bool goes_to_program(ResidueFate fate) {
    return fate == ResidueFate::sent || fate == ResidueFate::made || fate == ResidueFate::ion;
  }

  void make_sent() {
    sent_.structure.path = entry_.path;
    sent_.structure.warnings = entry_.warnings;
    for (const std::uint32_t r : residues_along_bonds(chemistry_)) {
      sent_.waters += plan(r).fate == ResidueFate::water ? 1 : 0;
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
    if (!sent_.structure.atoms.empty()) sent_.structure.atoms.back().ends_chain = true;
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
      sent_.structure.atoms.push_back(atom);
    }
  }

  void send(std::uint32_t r) {
    const ResiduePlan& how = plan(r);
    const std::span<const Atom> atoms = atoms_of(r);
    SentResidue sent{r, sent_.structure.atoms.size(), {}, {}};
    if (how.parent != nullptr) {
      sent.names = sent_names(atoms, how);
    } else {
      for (const Atom& atom : atoms)
        sent.names.push_back(how.loses_phosphate && is_phosphate_atom(atom.name.view()) ? Label()
                                                                                        : atom.name);
      if (const ResidueTemplate* const goal = amino_acid_sent(r)) name_hydrogens(atoms, *goal, sent.names);
    }
    for (std::size_t n = 0; n < atoms.size(); ++n) {
      if (sent.names[n].empty()) continue;
      Atom atom = atoms[n];
      atom.name = sent.names[n];
      if (atom.name != atoms[n].name) atom.element = {};
      if (!how.sent_as.empty()) atom.residue = how.sent_as;
      atom.ends_chain = false;
      sent_.structure.atoms.push_back(atom);
    }
    sent_.residues.push_back(std::move(sent));
    if (how.fate == ResidueFate::ion) sent_.structure.atoms.back().ends_chain = true;
  }

  /// The state in which PDB2PQR gets an amino acid.
  const ResidueTemplate* amino_acid_sent(std::uint32_t r) const {
    const PerceivedResidue& residue = chemistry_.residues[r];
    if (residue.role != ResidueRole::amino_acid || residue.standard == nullptr) return nullptr;
    const Label name = plan(r).sent_as.empty() ? residue.standard->name : plan(r).sent_as;
    return residue_table().find(name.view(), residue.standard->ends);
  }

  /// PDB2PQR's names of hydrogens, which LYN and the proline of an end have of its own. It gives up on those
  /// of another state, which are left out.
  static void name_hydrogens(std::span<const Atom> atoms, const ResidueTemplate& goal,
                             std::vector<Label>& names) {
    const std::vector<std::size_t> numbers = numbers_in_goal(atoms, goal);
    for (std::size_t n = 0; n < atoms.size(); ++n) {
      if (!is_named_as_hydrogen(atoms[n].name.view())) continue;
      if (numbers[n] != ResidueTemplate::no_atom)
        names[n] = goal.name_in(NamingScheme::pdb2pqr, numbers[n]);
      else if (!(goal.ends.first == ChainEnd::n_terminal && names[n] == Label("H")))
        names[n] = {};
    }
  }

  const Structure& entry_;
  const Chemistry& chemistry_;
  const ChemistryDecisions& decisions_;
  SentEntry sent_;
  std::vector<std::uint32_t> ions_;
  std::uint32_t last_piece_ = nothing;
};

}  // namespace

SentEntry sent_entry(const Structure& entry, const Chemistry& chemistry,
                     const ChemistryDecisions& decisions) {
  return EntrySender(entry, chemistry, decisions).sent();
}

}  // namespace ionwell
