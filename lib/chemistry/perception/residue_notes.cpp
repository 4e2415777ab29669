// SPDX-License-Identifier: BSD-3-Clause
#include "chemistry/perception/residue_notes.hpp"

#include <algorithm>
#include <iomanip>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <unordered_map>

#include "chemistry/perception/ester_bonds.hpp"
#include "chemistry/perception/recorded_atoms.hpp"
#include "chemistry/templates/residue_table.hpp"
#include "core/text/count_text.hpp"

namespace ionwell {
namespace {

constexpr std::size_t most_named = 6;     // atoms or residues that a note lists
constexpr double longest_inside_A = 2.6;  // a bond of a template; S-S and C-I are shorter
constexpr double longest_plain_A = 1.9;   // a bond in a chain that needs no note

class Noter {
 public:
  Noter(const WorkingResidues& working, const EntryRecords& records, Chemistry& chemistry)
      : working_(working), chemistry_(chemistry) {
    if (records.modifications.empty() && records.on_axes.empty()) return;
    const RecordedAtoms& recorded = recorded_.emplace(working);
    for (const RecordedResidue& id : records.on_axes)
      if (const std::uint32_t r = recorded.residue(id); r != nothing) on_axes_.insert(r);
    for (const RecordedModification& modification : records.modifications)
      if (const std::uint32_t r = recorded.residue(modification.residue); r != nothing)
        parents_[r] = modification.parent;
  }

  void add() {
    for (const ResidueLink& link : chemistry_.links) links_of_.insert({link.first, link.second});
    for (const EsterBond& ester : ester_bonds(working_.atoms(), chemistry_))
      esters_[working_.residue_of(ester.carbon)] = ester;
    for (std::uint32_t r = 0; r < chemistry_.residues.size(); ++r) {
      const WorkingResidue& residue = working_.residues()[r];
      if (residue.role == ResidueRole::water) {
        note_water(r, residue);
        continue;
      }
      if (residue.role == ResidueRole::bead)
        note_beads(r);
      else if (residue.match == nullptr)
        note_unknown(r, residue);
      else
        note_known(r, residue);
      if (is_polymer(residue.role)) note_place(r, residue);
    }
    note_single_residues();
    note_shared_places();
    for (const std::uint32_t r : on_axes_)
      note(r, "on an axis of symmetry", "the entry states it: each of its atoms represents several");
    for (const ResidueLink& link : chemistry_.links) note_link(link);
    for (const MetalSite& site : chemistry_.metals) note_metal(site);
    for (const ChainGap& gap : chemistry_.gaps) note_gap(gap);
    for (const ChainPiece& piece : chemistry_.pieces)
      if (piece.is_ring)
        note(piece.residues[0], "a closed ring of " + std::to_string(piece.residues.size()) + " residues",
             describe_residue(first(piece.residues.back())) + " is bound to it");
    std::stable_sort(chemistry_.notes.begin(), chemistry_.notes.end(),
                     [](const ChemistryNote& a, const ChemistryNote& b) { return a.residue < b.residue; });
  }

 private:
  const Atom& atom(std::uint32_t n) const { return working_.atoms()[n]; }
  const Atom& first(std::uint32_t r) const { return atom(working_.residues()[r].begin); }
  void note(std::uint32_t r, std::string what, std::string why) {
    chemistry_.notes.push_back({r, std::move(what), std::move(why)});
  }

  /// Once for a run of beads.
  void note_beads(std::uint32_t r) {
    if (is_membrane_marker(first(r))) return;
    if (r > 0 && working_.residues()[r - 1].role == ResidueRole::bead && first(r - 1).chain == first(r).chain)
      return;
    std::size_t count = 1;
    while (r + count < working_.residues().size() &&
           working_.residues()[r + count].role == ResidueRole::bead &&
           first(std::uint32_t(r + count)).chain == first(r).chain)
      ++count;
    note(r, count_of(std::int64_t(count), "bead"),
         "residues of one atom, " + std::string(first(r).name.view()) + ", and no others");
  }

  void note_unknown(std::uint32_t r, const WorkingResidue& residue) {
    if (residue.role == ResidueRole::ion || residue.role == ResidueRole::lipid) return;
    const bool is_of_unknown_kind = residue.role == ResidueRole::ligand || is_polymer(residue.role);
    std::string why = is_of_unknown_kind
                          ? "the table of residues has no " + std::string(first(r).residue.view())
                          : "by its name; it has no template";
    if (const auto parent = parents_.find(r); parent != parents_.end())
      (why += "; the entry states that it was ") += parent->second.view();
    if (const std::uint32_t whole = earlier_part(r); whole != nothing) {
      note(r, "more atoms of a residue above", "its atoms are not consecutive in the file");
      return;
    }
    const std::string_view name = first(r).residue.view();
    const bool is_unnamed = name == "UNK" || name == "N" || name == "UNX" || name == "UNL";
    note(r,
         is_unnamed                 ? "not identified in the entry"
         : is_polymer(residue.role) ? "modified " + std::string(to_string(residue.role))
                                    : std::string(to_string(residue.role)),
         why);
  }

  /// A residue above of the same number and name that has a template, or nothing.
  std::uint32_t earlier_part(std::uint32_t r) {
    const Atom& here = first(r);
    if (residue_table().candidates(here.residue.view()).empty()) return nothing;
    if (!recorded_) recorded_.emplace(working_);
    const std::uint32_t found = recorded_->residue({here.chain, here.residue_number, here.insertion_code});
    return found < r && first(found).residue == here.residue && working_.residues()[found].match != nullptr
               ? found
               : nothing;
  }

  void note_known(std::uint32_t r, const WorkingResidue& residue) {
    const ResidueTemplate& found = *residue.found();
    if (found.parent != found.residue && is_polymer(residue.role))
      note(r,
           "modified " + std::string(to_string(residue.role)) + ", made from " +
               std::string(found.parent.view()),
           "by its name");
    else if (found.parent != found.residue)
      note(r, std::string(to_string(residue.role)), "by its name; it is not in a chain");
    else if (found.name != found.residue && chemistry_.residues[r].standard != nullptr &&
             chemistry_.residues[r].standard->name == found.name)
      note(r, "as " + std::string(found.name.view()), "by its name or hydrogens");
    note_atoms(r, residue, found);
  }

  /// Atoms that no water has; places of charges without an element are some force field's.
  void note_water(std::uint32_t r, const WorkingResidue& residue) {
    std::vector<Label> strange;
    for (std::uint32_t n = residue.begin; n < residue.end; ++n)
      if (working_.template_atom(n) == ResidueMatch::no_atom && !working_.is_hydrogen(n) &&
          working_.element(n) != "O" && !working_.element(n).empty())
        strange.push_back(atom(n).name);
    if (!strange.empty()) note(r, "has atoms that water does not: " + listed(strange), "by their names");
  }

  void note_atoms(std::uint32_t r, const WorkingResidue& residue, const ResidueTemplate& found) {
    std::vector<std::uint32_t> at(found.atoms.size(), nothing);
    std::vector<Label> unknown, twice, absent;
    for (std::uint32_t n = residue.begin; n < residue.end; ++n) {
      const std::uint16_t m = working_.template_atom(n);
      if (m == ResidueMatch::no_atom)
        (working_.named(residue, atom(n).name) < n ? twice : unknown).push_back(atom(n).name);
      else
        at[m] = n;
    }
    for (std::size_t m = 0; m < at.size(); ++m)
      if (at[m] == nothing && found.atoms[m].element != ElementSymbol("H"))
        absent.push_back(found.atoms[m].name);
    if (!unknown.empty())
      note(r, "has atoms that " + std::string(found.residue.view()) + " does not: " + listed(unknown),
           "by their names");
    if (!twice.empty()) note(r, "has atoms twice: " + listed(twice), "by their names");
    if (!absent.empty() && is_polymer(residue.role)) note(r, "lacks " + listed(absent), "not in the file");
    for (const TemplateBond& bond : found.bonds) {
      if (at[bond.first] == nothing || at[bond.second] == nothing) continue;
      const double length_A = working_.distance_A(at[bond.first], at[bond.second]);
      if (length_A <= longest_inside_A || bond.order == 0) continue;
      note(r, "has a bond of " + distance_text(length_A),
           std::string(atom(at[bond.first]).name.view()) + '-' +
               std::string(atom(at[bond.second]).name.view()));
      return;
    }
  }

  void note_place(std::uint32_t r, const WorkingResidue& residue) {
    const bool is_bound = residue.first_atom != nothing && links_of_.contains(residue.first_atom);
    if (residue.role == ResidueRole::nucleotide && residue.before == nothing && residue.piece != nothing &&
        working_.named(residue, "P") != nothing && !is_bound)
      note(r, "begins with a phosphate", "it has a P, and nothing before it is bound to the P");
    if (residue.before != nothing) {
      const std::uint32_t last = working_.residues()[residue.before].last_atom;
      if (const double length_A = working_.distance_A(last, residue.first_atom); length_A > longest_plain_A)
        note(r, "its bond to " + describe_residue(atom(last)) + " is " + distance_text(length_A) + " long",
             "no gap: the residues are consecutive");
    }
    if (residue.match != nullptr && residue.found()->kind == ResidueClass::dna &&
        is_among_ribonucleotides(residue))
      note(r, "a deoxyribonucleotide in RNA", "by its name and atoms");
    if (residue.role == ResidueRole::amino_acid && is_of_right_hand(residue))
      note(r, "a D-amino acid", "by the positions of N, CA, C and CB");
    if (r > 0 && same_place(r - 1, r))
      note(r, "a second residue at the position of " + describe_residue(first(r - 1)),
           "both have the same number in the same chain");
  }

  bool is_among_ribonucleotides(const WorkingResidue& residue) const {
    if (residue.piece == nothing) return false;
    const auto is_rna = [&](std::uint32_t r) {
      const ResidueTemplate* const found = r == nothing ? nullptr : working_.residues()[r].found();
      return found != nullptr && found->kind == ResidueClass::rna;
    };
    return (residue.before == nothing || is_rna(residue.before)) &&
           (residue.after == nothing || is_rna(residue.after)) &&
           (residue.before != nothing || residue.after != nothing);
  }

  bool same_place(std::uint32_t a, std::uint32_t b) const {
    const Atom &p = first(a), &q = first(b);
    return is_polymer(working_.residues()[a].role) && p.residue_number == q.residue_number &&
           p.insertion_code == q.insertion_code && p.chain == q.chain && p.segment == q.segment &&
           !(p.residue == q.residue);
  }

  /// The volume of N, C and CB seen from CA: about +2.5 A^3 in L-amino acids.
  bool is_of_right_hand(const WorkingResidue& residue) const {
    const std::uint32_t n = working_.named(residue, "N"), ca = working_.named(residue, "CA"),
                        c = working_.named(residue, "C"), cb = working_.named(residue, "CB");
    if (n == nothing || ca == nothing || c == nothing || cb == nothing) return false;
    const Vec3<double> a = atom(n).position_A - atom(ca).position_A,
                       b = atom(c).position_A - atom(ca).position_A,
                       d = atom(cb).position_A - atom(ca).position_A;
    const Vec3<double> cross{a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    constexpr double clearly_A3 = 1.0;
    return dot(cross, d) < -clearly_A3;
  }

  /// Amino acids and nucleotides behind the end of a chain, whose identifier they have: ligands.
  void note_single_residues() {
    std::set<std::string_view> ended;
    for (std::uint32_t r = 0; r < chemistry_.residues.size(); ++r) {
      const PerceivedResidue& residue = chemistry_.residues[r];
      if (residue.piece == nothing) continue;
      if (const auto ester = esters_.find(r); ester != esters_.end()) {
        note(r, "an ester of " + describe_residue(atom(ester->second.oxygen)),
             "its C is bound to " + std::string(atom(ester->second.oxygen).name.view()) +
                 ", and it has no COO-");
        continue;
      }
      if (chemistry_.pieces[residue.piece].residues.size() == 1 && ended.contains(first(r).chain.view()))
        note(r, "a single " + std::string(to_string(residue.role)), "it comes after the end of its chain");
      if (atom(residue.end - 1).ends_chain) ended.insert(first(r).chain.view());
    }
  }

  /// Once for a run of residues that lie where another run does.
  void note_shared_places() {
    const auto& shared = chemistry_.shared_places;
    for (std::size_t begin = 0, end = 0; begin < shared.size(); begin = end) {
      const auto goes_on = [&](const SharedPlace& before, const SharedPlace& here) {
        return here.residue == before.residue + 1 && here.of == before.of + 1;
      };
      for (end = begin + 1; end < shared.size() && goes_on(shared[end - 1], shared[end]);) ++end;
      const std::uint32_t r = shared[begin].residue, of = shared[begin].of;
      if (end - begin > 1)
        note(r,
             "this and " + count_of(std::int64_t(end - begin - 1), "residue") +
                 " after it are at the positions of " + describe_residue(first(of)) + " and those after that",
             "their atoms are less than 0.5 A from each other");
      else if (!(r > 0 && of == r - 1 && same_place(of, r)))  // which is said of it already
        note(r, "is at the position of " + describe_residue(first(of)),
             "their atoms are less than 0.5 A from each other");
    }
  }

  void note_link(const ResidueLink& link) {
    const std::string why = std::string(atom(link.first).name.view()) + " and " +
                            std::string(atom(link.second).name.view()) + " are " +
                            distance_text(link.distance_A) + " apart" +
                            (link.is_recorded ? "; the entry states it, too" : "");
    const bool is_ester = std::any_of(esters_.begin(), esters_.end(), [&](const auto& ester) {
      return std::minmax(ester.second.oxygen, ester.second.carbon) == std::minmax(link.first, link.second);
    });
    note(working_.residue_of(link.first),
         std::string(is_ester ? "ester" : to_string(link.kind)) + " bond to " +
             describe_residue(atom(link.second)),
         why);
  }

  /// N1 of guanine and N3 of uracil have a hydrogen, unless a metal is there.
  bool is_deprotonated_base(std::uint32_t n) const {
    const ResidueTemplate* const found = working_.of_atom(n).found();
    if (found == nullptr || working_.of_atom(n).role != ResidueRole::nucleotide) return false;
    const Label& name = working_.standard_name(n);
    return (found->code == 'G' && name == "N1") ||
           ((found->code == 'U' || found->code == 'T') && name == "N3");
  }

  void note_metal(const MetalSite& site) {
    for (const std::uint32_t ligand : site.ligands) {
      const WorkingResidue& residue = working_.of_atom(ligand);
      if (!(residue.role == ResidueRole::amino_acid && working_.element(ligand) != "O") &&
          !is_deprotonated_base(ligand))
        continue;
      if (working_.element(ligand) == "N" && working_.distance_A(ligand, site.metal) > farthest_nitrogen_A)
        continue;
      note(working_.residue_of(ligand), "bound to " + describe_residue(atom(site.metal)),
           std::string(atom(ligand).name.view()) + " is " +
               distance_text(working_.distance_A(ligand, site.metal)) + " from it");
    }
  }

  void note_gap(const ChainGap& gap) {
    std::string why = gap.distance_A > 0.0
                          ? std::string(atom(working_.residues()[gap.before].last_atom).name.view()) +
                                " and " +
                                std::string(atom(working_.residues()[gap.after].first_atom).name.view()) +
                                " are " + distance_text(gap.distance_A) + " apart"
                          : "an atom that would be bound is missing";
    if (!gap.missing.empty()) why += "; missing: " + listed(gap.missing);
    note(gap.after, "a gap after " + describe_residue(first(gap.before)), why);
  }

  const WorkingResidues& working_;
  Chemistry& chemistry_;
  std::optional<RecordedAtoms> recorded_;
  std::unordered_map<std::uint32_t, Label> parents_;
  std::set<std::uint32_t> on_axes_, links_of_;  // residues; atoms
  std::map<std::uint32_t, EsterBond> esters_;   // by the amino acid
};

}  // namespace

std::string listed(const std::vector<Label>& names) {
  std::string text;
  for (std::size_t n = 0; n < names.size() && n < most_named; ++n)
    (text += n == 0 ? "" : " ") += names[n].view();
  if (names.size() > most_named) text += " and " + std::to_string(names.size() - most_named) + " more";
  return text;
}

std::string distance_text(double distance_A) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(2) << distance_A << " A";
  return text.str();
}

void add_notes(const WorkingResidues& working, const EntryRecords& records, Chemistry& chemistry) {
  Noter(working, records, chemistry).add();
}

}  // namespace ionwell
