#include "structures/assign_radii.hpp"

#include <cmath>
#include <optional>
#include <string_view>

#include "core/chemistry/bondi_radius.hpp"
#include "core/chemistry/composition.hpp"
#include "core/chemistry/ion_radius.hpp"
#include "structures/solute_elements.hpp"

namespace ionwell {

std::int64_t assign_radii(std::span<Atom> atoms) {
  std::int64_t unknown = 0;
  for (std::size_t begin = 0; begin < atoms.size();) {
    const Residue residue = residue_at(atoms, begin);
    const bool is_lone_ion = residue.kind == ResidueKind::ion && residue.end - begin == 1;
    for (Atom& atom : atoms.subspan(begin, residue.end - begin)) {
      const std::string_view element = atom.element.empty() ? element_of(atom) : atom.element.view();
      std::optional<double> radius_A;
      if (is_lone_ion) radius_A = ionic_radius_A(element, std::round(atom.charge_e));
      if (!radius_A) radius_A = bondi_radius_A(element);
      unknown += radius_A ? 0 : 1;
      atom.radius_A = radius_A.value_or(0.0);
    }
    begin = residue.end;
  }
  return unknown;
}

}  // namespace ionwell
