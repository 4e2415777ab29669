// SPDX-License-Identifier: BSD-3-Clause
#include "structures/solute_elements.hpp"

#include <algorithm>
#include <string>

#include "core/chemistry/ion_component.hpp"
#include "core/chemistry/ion_table.hpp"
#include "core/chemistry/residue_kind.hpp"
#include "core/text/lines.hpp"

namespace ionwell {
namespace {

// Elements of two letters whose symbol cannot be mistaken for a name that begins with another element.
constexpr std::string_view unmistakable = " CL BR FE ZN MG MN CU ";
constexpr std::string_view of_one_letter = "HCNOPSFIBK";

bool contains(std::string_view list, std::string_view word) {
  return !word.empty() && list.find(' ' + std::string(word) + ' ') != std::string_view::npos;
}

}  // namespace

bool is_polymer_residue(std::string_view residue) {
  const ResidueKind kind = residue_kind(residue);
  return kind == ResidueKind::protein || kind == ResidueKind::nucleic_acid;
}

std::string_view element_of(const Atom& atom) {
  if (!atom.element.empty()) return atom.element.view();
  std::string_view letters = atom.name.view();
  while (!letters.empty() && !is_letter(letters.front())) letters.remove_prefix(1);  // 1HB
  letters = letters.substr(
      0, std::size_t(std::find_if_not(letters.begin(), letters.end(), is_letter) - letters.begin()));
  const std::string_view residue = atom.residue.view();
  if (is_polymer_residue(residue)) {
    if (letters == "SE") return "SE";                          // MSE, SEC
    if (letters == "BR" && letters == atom.name) return "BR";  // BRU, 5BU
  } else {
    const KnownIon* const ion = find_ion(residue);
    if (ion != nullptr && (find_ion(atom.name.view()) == ion || letters == ion->element)) return ion->element;
    if (const auto component = ion_component(residue); component && letters == component->element)
      return component->element;
    if (contains(unmistakable, letters))
      return unmistakable.substr(unmistakable.find(letters), letters.size());
  }
  const std::size_t one = letters.empty() ? std::string_view::npos : of_one_letter.find(letters[0]);
  return one == std::string_view::npos ? std::string_view{} : of_one_letter.substr(one, 1);
}

}  // namespace ionwell
