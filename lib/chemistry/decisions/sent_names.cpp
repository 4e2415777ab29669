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
