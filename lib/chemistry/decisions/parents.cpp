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
  constexpr double longest_A = 2.2;  // of non-metals; strained ones of poor entries are longer than usual
  return std::all_of(parent.bonds.begin(), parent.bonds.end(), [&](const TemplateBond& bond) {
    const Atom* const first = named(atoms, parent.atoms[bond.first].name);
    const Atom* const second = named(atoms, parent.atoms[bond.second].name);
    return first == nullptr || second == nullptr ||
           distance_squared(first->position_A, second->position_A) <= longest_A * longest_A;
  });
}

}  // namespace ionwell
