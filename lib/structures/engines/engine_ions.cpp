// SPDX-License-Identifier: BSD-3-Clause
#include "structures/engines/engine_ions.hpp"

#include "core/chemistry/ion_radius.hpp"
#include "structures/writers/pdb_writer.hpp"

namespace ionwell {

std::vector<NamedIon> named_ions(const std::vector<EngineIon>& ions, IonNaming naming) {
  std::vector<NamedIon> named;
  named.reserve(ions.size());
  for (const EngineIon& ion : ions) {
    const IonName name = ion_name(ion.name, naming);
    named.push_back({.residue = std::string(name.residue),
                     .atom = std::string(name.atom),
                     .element = ion.element,
                     .charge_e = ion.charge_e,
                     .position_A = ion.position_A,
                     .radius_A = ionic_radius_A(ion.element, ion.charge_e).value_or(0.0)});
  }
  return named;
}

std::string ions_pdb(const EngineSystem& system, IonNaming naming) {
  return pdb_text(
      {.remarks = system.remarks, .around = system.atoms, .ions = named_ions(system.ions, naming)});
}

}  // namespace ionwell
