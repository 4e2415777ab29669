#include "input/deuterium.hpp"

#include <algorithm>
#include <span>
#include <string>

#include "core/chemistry/residue_runs.hpp"
#include "core/text/count_text.hpp"
#include "core/text/lines.hpp"
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

Structure with_hydrogens_for_deuterium(const Structure& structure) {
  Structure result = structure;
  const std::span<const Atom> atoms = structure.atoms;
  if (std::none_of(atoms.begin(), atoms.end(), is_deuterium)) return result;
  result.atoms.clear();
  std::int64_t count = 0;
  for (std::size_t begin = 0, end = 0; begin < atoms.size(); begin = end) {
    end = residue_at(atoms, begin).end;
    const std::span<const Atom> residue = atoms.subspan(begin, end - begin);
    for (Atom atom : residue) {
      if (is_deuterium(atom)) {
        ++count;
        const Label name = hydrogen_name(atom);
        const bool shares_site =
            !(name == atom.name) && std::any_of(residue.begin(), residue.end(),
                                                [&](const Atom& other) { return other.name == name; });
        if (shares_site) {
          if (atom.ends_chain && !result.atoms.empty()) result.atoms.back().ends_chain = true;
          continue;
        }
        atom.name = name;
        atom.element = "H";
      }
      result.atoms.push_back(atom);
    }
  }
  result.warnings.push_back(structure.path + ": " + count_of(count, "atom") + " of deuterium became " +
                            (count == 1 ? "a hydrogen" : "hydrogens"));
  return result;
}

}  // namespace ionwell
