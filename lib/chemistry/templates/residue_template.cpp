// SPDX-License-Identifier: BSD-3-Clause
#include "chemistry/templates/residue_template.hpp"

#include <algorithm>

namespace ionwell {

std::string_view to_string(NamingScheme scheme) {
  constexpr std::string_view words[] = {"pdb",    "pdb2",    "pdb2pqr",       "amber",
                                        "charmm", "gromacs", "gromacs_charmm"};
  return words[std::size_t(scheme)];
}

std::string_view to_string(ResidueClass kind) {
  constexpr std::string_view words[] = {"amino_acid", "rna", "dna", "cap", "water", "ion", "polyatomic_ion"};
  return words[std::size_t(kind)];
}

std::string_view to_string(ChainEnd end) {
  constexpr std::string_view words[] = {"none",          "n_terminal",         "n_terminal_neutral",
                                        "five_hydroxyl", "five_phosphate",     "five_phosphate_2",
                                        "c_terminal",    "c_terminal_neutral", "three_hydroxyl"};
  return words[std::size_t(end)];
}

int ResidueTemplate::charge_e() const {
  int sum_e = 0;
  for (const TemplateAtom& atom : atoms) sum_e += atom.charge_e;
  return sum_e;
}

std::size_t ResidueTemplate::find(std::string_view atom) const {
  const auto found =
      std::find_if(atoms.begin(), atoms.end(), [&](const TemplateAtom& a) { return a.name.view() == atom; });
  return found == atoms.end() ? no_atom : std::size_t(found - atoms.begin());
}

std::string describe(const ResidueTemplate& residue) {
  std::string text(residue.name.view());
  for (const ChainEnd end : {residue.ends.first, residue.ends.last})
    if (end != ChainEnd::none) (text += ", ") += to_string(end);
  return text;
}

}  // namespace ionwell
