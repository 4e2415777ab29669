// SPDX-License-Identifier: BSD-3-Clause
#include "chemistry/decisions/parents.hpp"

#include <algorithm>

#include "chemistry/decisions/sent_names.hpp"
#include "chemistry/templates/residue_table.hpp"

namespace ionwell {
namespace {

const Atom* named(std::span<const Atom> atoms, const Label& name) {
  const auto found =
      std::find_if(atoms.begin(), atoms.end(), [&](const Atom& atom) { return atom.name == name; });
  return found == atoms.end() ? nullptr : &*found;
}

}  // namespace

Label nucleotide_with_atoms(std::span<const Atom> atoms) {
  const auto has = [&](const TemplateAtom& wanted) {
    return wanted.element == ElementSymbol("H") || is_phosphate_atom(wanted.name.view()) ||
           named(atoms, wanted.name) != nullptr;
  };
  for (const char* const name : {"A", "C", "G", "U", "DA", "DC", "DG", "DT"}) {
    const std::vector<TemplateAtom>& wanted = residue_table().find(name)->atoms;
    if (std::all_of(wanted.begin(), wanted.end(), has)) return name;
  }
  return {};
}

bool has_bonds_of(std::span<const Atom> atoms, const ResidueTemplate& parent) {
  constexpr double longest_A = 2.2, usual_A = 1.8;
  const auto is_within = [&](std::size_t a, std::size_t b, double limit_A) {
    const Atom *const first = named(atoms, parent.atoms[a].name), *const second =
                                                                      named(atoms, parent.atoms[b].name);
    return first == nullptr || second == nullptr ||
           distance_squared(first->position_A, second->position_A) <= limit_A * limit_A;
  };
  const auto is_bound = [&](std::size_t a, std::size_t b) {
    return std::any_of(parent.bonds.begin(), parent.bonds.end(), [&](const TemplateBond& bond) {
      return (bond.first == a && bond.second == b) || (bond.first == b && bond.second == a);
    });
  };
  const auto is_bound_elsewhere = [&](std::size_t a) {
    for (std::size_t b = 0; b < parent.atoms.size(); ++b)
      if (b != a && named(atoms, parent.atoms[b].name) != nullptr && !is_bound(a, b) &&
          is_within(a, b, usual_A))
        return true;
    return false;
  };
  return std::none_of(parent.bonds.begin(), parent.bonds.end(), [&](const TemplateBond& bond) {
    return !is_within(bond.first, bond.second, longest_A) &&
           (is_bound_elsewhere(bond.first) || is_bound_elsewhere(bond.second));
  });
}

}  // namespace ionwell
