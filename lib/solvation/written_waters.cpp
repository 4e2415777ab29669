// SPDX-License-Identifier: BSD-3-Clause
#include "solvation/written_waters.hpp"

#include <string>
#include <string_view>

namespace ionwell {

WaterNames usual_water_names(SystemFormat format) {
  switch (format) {
    case SystemFormat::gro:
      return WaterNames::gromacs;
    case SystemFormat::charmm_crd:
      return WaterNames::charmm;
    default:
      return WaterNames::pdb;
  }
}

WaterLabels water_labels(std::span<const Atom> solute, WaterNames names, SystemFormat format) {
  const std::string chains = chain_letters({solute}, 'W');
  const bool goes_on = format == SystemFormat::gro && !solute.empty();
  return {.names = names,
          .chain = std::string_view(chains).substr(0, 1),
          .first_residue = goes_on ? solute.back().residue_number + 1 : 1};
}

SolventMolecules written_waters(const Waters& waters, const WaterLabels& labels) {
  return {.count = waters.size(),
          .atoms_each = waters.atoms_each(),
          .make = [&waters, labels](std::int64_t first, std::span<Atom> atoms) {
            waters.make_atoms(first, labels, atoms);
          }};
}

}  // namespace ionwell
