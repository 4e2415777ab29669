// SPDX-License-Identifier: BSD-3-Clause
#include "chemistry/decisions/sent_names.hpp"

#include <algorithm>

#include "chemistry/templates/residue_match.hpp"
#include "chemistry/templates/residue_table.hpp"

namespace ionwell {
namespace {

constexpr std::size_t no_atom = ResidueTemplate::no_atom;

struct MatchedNames {
  const ResidueTemplate* residue = nullptr;
  std::vector<std::size_t> numbers;  // in it
  std::vector<Label> standard;       // the table's where the atom is known, and the file's otherwise
};

MatchedNames match_names(std::span<const Atom> residue) {
  std::vector<Label> names;
  for (const Atom& atom : residue) names.push_back(atom.name);
  ResidueMatcher matcher(residue_table());
  const ResidueMatch match = matcher.match(residue.front().residue.view(), names);
  MatchedNames matched{match.residue, std::vector<std::size_t>(names.size(), no_atom), names};
  for (std::size_t n = 0; n < names.size() && match.residue != nullptr; ++n)
    if (match.atoms[n] != ResidueMatch::no_atom) {
      matched.numbers[n] = match.atoms[n];
      matched.standard[n] = match.residue->atoms[match.atoms[n]].name;
    }
  return matched;
}

bool is_hydrogen(const ResidueTemplate& residue, std::size_t atom) {
  return residue.atoms[atom].element == ElementSymbol("H");
}

/// The heavy atoms that an atom is bonded to, by name.
std::vector<Label> heavy_neighbours(const ResidueTemplate& residue, std::size_t atom) {
  std::vector<Label> names;
  for (const TemplateBond& bond : residue.bonds) {
    if (bond.first != atom && bond.second != atom) continue;
    const std::size_t other = bond.first == atom ? bond.second : bond.first;
    if (!is_hydrogen(residue, other)) names.push_back(residue.atoms[other].name);
  }
  return names;
}

/// An atom of the parent that is not in the residue, and is bonded to what this one is bonded to.
Label place_in(const ResidueTemplate& parent, const ResidueTemplate& residue, std::size_t atom) {
  const std::vector<Label> around = heavy_neighbours(residue, atom);
  for (std::size_t n = 0; n < parent.atoms.size(); ++n) {
    if (is_hydrogen(parent, n) || residue.find(parent.atoms[n].name.view()) != no_atom) continue;
    const std::vector<Label> there = heavy_neighbours(parent, n);
    const bool is_alike = !around.empty() && there.size() == around.size() &&
                          std::is_permutation(there.begin(), there.end(), around.begin());
    if (is_alike) return parent.atoms[n].name;
  }
  return {};
}

/// Of each atom of a residue the one of the parent that has its place in the graph of bonds: neighbours of
/// atoms that are known, those of the same name first, and then a single one that is left on both sides. The
/// uracil of pseudouridine lies the other way round: its C5 is bonded to C1', where N1 is in U. O(atoms^2).
class ParentByBonds {
 public:
  ParentByBonds(const ResidueTemplate& residue, const ResidueTemplate& parent)
      : residue_(residue), parent_(parent), names_(residue.atoms.size()) {
    for (std::size_t n = 0; n < residue.atoms.size() && known_.empty(); ++n)
      if (is_alike(n)) set(n, residue.atoms[n].name);
    for (std::size_t n = 0; n < known_.size(); ++n) go_on(known_[n]);
  }

  Label of(std::size_t atom) const { return names_[atom]; }

 private:
  void set(std::size_t atom, Label name) {
    names_[atom] = name;
    known_.push_back(atom);
  }

  /// Both have a heavy atom of that name, with neighbours of the same names.
  bool is_alike(std::size_t atom) const {
    const std::size_t there = parent_.find(residue_.atoms[atom].name.view());
    if (is_hydrogen(residue_, atom) || there == no_atom) return false;
    const std::vector<Label> own = heavy_neighbours(residue_, atom),
                             others = heavy_neighbours(parent_, there);
    return std::is_permutation(own.begin(), own.end(), others.begin(), others.end());
  }

  bool is_taken(Label name) const { return std::find(names_.begin(), names_.end(), name) != names_.end(); }

  static bool is_leaf(const ResidueTemplate& residue, const Label& name) {
    return heavy_neighbours(residue, residue.find(name.view())).size() == 1;
  }

  void go_on(std::size_t atom) {
    std::vector<Label> own, others;
    for (const Label name : heavy_neighbours(residue_, atom))
      if (names_[residue_.find(name.view())].empty()) own.push_back(name);
    for (const Label name : heavy_neighbours(parent_, parent_.find(names_[atom].view())))
      if (!is_taken(name)) others.push_back(name);
    for (auto name = own.begin(); name != own.end();) {
      const auto same = std::find(others.begin(), others.end(), *name);
      if (same == others.end()) {
        ++name;
        continue;
      }
      set(residue_.find(name->view()), *name);
      others.erase(same);
      name = own.erase(name);
    }
    if (others.size() == 1 && !is_leaf(parent_, others[0]))
      std::erase_if(own, [this](const Label& name) { return is_leaf(residue_, name); });
    if (own.size() == 1 && others.size() == 1) set(residue_.find(own[0].view()), others[0]);
  }

  const ResidueTemplate& residue_;
  const ResidueTemplate& parent_;
  std::vector<Label> names_;        // of the parent's atoms, by atom of the residue
  std::vector<std::size_t> known_;  // atoms of the residue
};

/// By the bonds, where the parent is built in the residue's place.
std::vector<Label> replaced_names(const MatchedNames& matched, const ResidueTemplate& parent) {
  const ParentByBonds by_bonds(*matched.residue, parent);
  std::vector<Label> sent;
  for (const std::size_t number : matched.numbers)
    sent.push_back(number == no_atom ? Label() : by_bonds.of(number));
  return sent;
}

}  // namespace

bool is_phosphate_atom(std::string_view name) {
  constexpr std::string_view names[] = {"P",   "OP1",  "OP2",  "OP3", "O1P", "O2P",
                                        "O3P", "HOP3", "HOP2", "H3P", "O5T"};
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

bool is_second_end(const ResiduePlan& plan, std::string_view name) {
  return name == "OXT" && plan.goal != nullptr && plan.parent != nullptr &&
         plan.goal->ends.last == ChainEnd::c_terminal && plan.parent->ends.last != ChainEnd::c_terminal;
}

std::vector<Label> sent_names(std::span<const Atom> residue, const ResiduePlan& plan) {
  const MatchedNames matched = match_names(residue);
  const ResidueTemplate& parent = *plan.parent;
  if (plan.is_replaced && matched.residue != nullptr) return replaced_names(matched, parent);
  std::vector<Label> sent(residue.size());
  for (std::size_t n = 0; n < residue.size(); ++n) {
    const Label name = matched.standard[n];
    const std::size_t at = parent.find(name.view());
    if (at != no_atom) {
      // Hydrogens that both have; PDB2PQR builds the others.
      if (!is_hydrogen(parent, at)) sent[n] = name;
    } else if (is_second_end(plan, name.view())) {
      sent[n] = name;
    } else if (matched.numbers[n] != no_atom && !is_hydrogen(*matched.residue, matched.numbers[n])) {
      const Label place = place_in(parent, *matched.residue, matched.numbers[n]);
      if (std::find(sent.begin(), sent.end(), place) == sent.end()) sent[n] = place;
    }
  }
  return sent;
}

std::vector<std::size_t> numbers_in_goal(std::span<const Atom> residue, const ResidueTemplate& goal) {
  const MatchedNames matched = match_names(residue);
  std::vector<std::size_t> numbers;
  for (const Label& name : matched.standard) numbers.push_back(goal.find(name.view()));
  return numbers;
}

}  // namespace ionwell
