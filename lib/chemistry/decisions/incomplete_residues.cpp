// SPDX-License-Identifier: BSD-3-Clause
#include "chemistry/decisions/incomplete_residues.hpp"

#include <algorithm>

#include "chemistry/decisions/made_residue.hpp"
#include "chemistry/decisions/sent_names.hpp"
#include "chemistry/perception/bond_lengths.hpp"
#include "chemistry/perception/residue_notes.hpp"
#include "chemistry/templates/residue_table.hpp"

namespace ionwell {
namespace {

bool is_hydrogen_in(const Atom& atom) {
  return element_by_name(atom, false) == ElementSymbol("H");
}

/// The heavy atoms of a template that are not there.
std::vector<Label> absent_atoms(std::span<const Atom> residue, const ResidueTemplate& whole) {
  const std::vector<std::size_t> there = numbers_in_goal(residue, whole);
  std::vector<Label> names;
  for (std::size_t m = 0; m < whole.atoms.size(); ++m)
    if (whole.atoms[m].element != ElementSymbol("H") &&
        std::find(there.begin(), there.end(), m) == there.end())
      names.push_back(whole.atoms[m].name);
  return names;
}

/// The amino acid or nucleotide of that name, where the residue has no other atoms than it, such as a side
/// chain without its backbone.
const ResidueTemplate* template_of_part(std::span<const Atom> residue) {
  const ResidueTemplate* const whole = residue_table().find(residue.front().residue.view());
  const bool is_of_chain =
      whole != nullptr && (whole->kind == ResidueClass::amino_acid || whole->kind == ResidueClass::rna ||
                           whole->kind == ResidueClass::dna);
  const bool is_part =
      is_of_chain && std::all_of(residue.begin(), residue.end(), [&](const Atom& atom) {
        return is_hydrogen_in(atom) || whole->find(atom.name.view()) != ResidueTemplate::no_atom;
      });
  return is_part ? whole : nullptr;
}

}  // namespace

bool has_too_few_atoms(std::span<const Atom> residue) {
  constexpr int needed = 3;
  int found = 0;
  for (const Atom& atom : residue) {
    const std::string_view name = atom.name.view();
    if (is_hydrogen_in(atom) || is_phosphate_atom(name) || name == "O5'" || name == "O5*") continue;
    if (++found == needed) return false;
  }
  return true;
}

std::vector<Label> missing_to_build(std::span<const Atom> atoms, const PerceivedResidue& residue,
                                    const ResiduePlan& plan) {
  const ResidueTemplate* whole = nullptr;
  if (plan.fate == ResidueFate::made) {
    std::vector<Label> unbuilt = unbuilt_atoms(atoms, plan);
    if (!unbuilt.empty()) return unbuilt;
    whole = plan.goal;
  } else if (plan.fate == ResidueFate::sent) {
    whole = plan.parent != nullptr        ? plan.parent
            : residue.standard != nullptr ? residue.standard
                                          : residue.found;
  } else if (plan.fate == ResidueFate::refused && residue.found == nullptr &&
             residue.role != ResidueRole::bead) {
    whole = template_of_part(atoms);
    return whole == nullptr ? std::vector<Label>() : absent_atoms(atoms, *whole);
  }
  if (whole == nullptr || !has_too_few_atoms(atoms)) return {};
  return absent_atoms(atoms, *whole);
}

std::string too_few_atoms_text(const std::vector<Label>& lacks) {
  return "lacks " + listed(lacks) + ", which cannot be built";
}

}  // namespace ionwell
