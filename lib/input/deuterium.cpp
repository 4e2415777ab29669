// SPDX-License-Identifier: BSD-3-Clause
#include "input/deuterium.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "core/chemistry/residue_runs.hpp"
#include "core/text/count_text.hpp"
#include "core/text/lines.hpp"
#include "core/text/note.hpp"
#include "structures/solute_elements.hpp"

namespace ionwell {
namespace {

bool is_deuterium(const Atom& atom) {
  if (!atom.element.empty()) return atom.element.view() == "D";
  std::string_view name = atom.name.view();
  while (!name.empty() && is_digit(name.front())) name.remove_prefix(1);
  return name.starts_with('D') && is_polymer_residue(atom.residue.view());
}

Label hydrogen_name(const Atom& atom) {
  std::string name(atom.name.view());
  const std::size_t letter = name.find('D');
  const bool is_leading =
      letter != name.npos && std::all_of(name.begin(), name.begin() + std::ptrdiff_t(letter), is_digit);
  if (is_leading && is_polymer_residue(atom.residue.view())) name[letter] = 'H';
  return Label(name);
}

}  // namespace

void replace_deuterium(EntryPart& entry) {
  std::vector<Atom>& atoms = entry.structure.atoms;
  if (std::none_of(atoms.begin(), atoms.end(), is_deuterium)) return;
  std::vector<std::uint8_t> shares_site(atoms.size(), 0);
  std::int64_t count = 0;
  for (std::size_t begin = 0, end = 0; begin < atoms.size(); begin = end) {
    end = residue_at(atoms, begin).end;
    for (std::size_t n = begin; n < end; ++n) {
      Atom& atom = atoms[n];
      if (!is_deuterium(atom)) continue;
      ++count;
      const Label name = hydrogen_name(atom);
      const std::span<const Atom> residue = std::span(atoms).subspan(begin, end - begin);
      shares_site[n] =
          !(name == atom.name) &&
          std::any_of(residue.begin(), residue.end(), [&](const Atom& other) { return other.name == name; });
      atom.name = name;
      atom.element = "H";
    }
  }
  take_out(entry, shares_site);
  entry.structure.warnings.push_back(note(entry.structure.path + ": " + count_of(count, "atom") +
                                          " of deuterium replaced by " +
                                          (count == 1 ? "a hydrogen" : "hydrogens")));
}

}  // namespace ionwell
