// SPDX-License-Identifier: BSD-3-Clause
#include "structures/assign_radii.hpp"

#include <algorithm>

#include <cmath>
#include <optional>
#include <string_view>

#include "core/chemistry/bondi_radius.hpp"
#include "core/chemistry/composition.hpp"
#include "core/chemistry/extra_particles.hpp"
#include "core/chemistry/ion_radius.hpp"
#include "core/text/count_text.hpp"
#include "core/text/note.hpp"
#include "structures/solute_elements.hpp"

namespace ionwell {

std::int64_t assign_radii(std::span<Atom> atoms) {
  std::int64_t unknown = 0;
  for (std::size_t begin = 0; begin < atoms.size();) {
    const Residue residue = residue_at(atoms, begin);
    const std::span<Atom> members = atoms.subspan(begin, residue.end - begin);
    const bool is_lone_ion = residue.kind == ResidueKind::ion && is_one_atom(members);
    const double charge_e = is_lone_ion ? net_charge_e(members) : 0.0;
    for (Atom& atom : members) {
      const std::string_view element = atom.element.empty() ? element_of(atom) : atom.element.view();
      std::optional<double> radius_A;
      if (is_lone_ion) radius_A = ionic_radius_A(element, std::round(charge_e));
      if (!radius_A) radius_A = bondi_radius_A(element);
      unknown += radius_A ? 0 : 1;
      atom.radius_A = radius_A.value_or(0.0);
    }
    begin = residue.end;
  }
  return unknown;
}

void complete_radii(Structure& structure) {
  std::vector<Atom>& atoms = structure.atoms;
  if (std::any_of(atoms.begin(), atoms.end(), [](const Atom& atom) { return atom.radius_A > 0.0; })) return;
  const std::int64_t unknown = assign_radii(atoms);
  structure.warnings.push_back(note(
      structure.path + ": has no radii; the solver uses those of the AMBER bondi set, by element" +
      (unknown > 0 ? ", and 0 for " + count_of(unknown, "atom") + " of unknown elements" : std::string())));
}

}  // namespace ionwell
