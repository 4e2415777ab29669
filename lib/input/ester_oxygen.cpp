// SPDX-License-Identifier: BSD-3-Clause
#include "input/ester_oxygen.hpp"

#include <algorithm>

#include "chemistry/templates/residue_match.hpp"

namespace ionwell {

void open_ester(std::vector<Atom>& charged, const Chemistry& chemistry, const EsterBond& ester) {
  const ResidueTemplate* const residue = chemistry.residues[chemistry.residue_of(ester.oxygen)].found;
  const std::uint16_t at = chemistry.found_atoms[ester.oxygen];
  if (residue == nullptr || at == Chemistry::no_atom) return;
  const Label oxygen = residue->atoms[at].name;  // as PDB2PQR has it
  constexpr double longest_A = 1.2;              // of O-H, 0.96 A
  const auto found =
      std::find_if(charged.begin(), charged.end(), [&](const Atom& atom) { return atom.name == oxygen; });
  if (found == charged.end()) return;
  const Vec3<double> place_A = found->position_A;
  double charge_e = 0.0;
  std::erase_if(charged, [&](const Atom& atom) {
    const bool is_on_it = is_named_as_hydrogen(atom.name.view()) &&
                          distance_squared(atom.position_A, place_A) <= longest_A * longest_A;
    if (is_on_it) charge_e += atom.charge_e;
    return is_on_it;
  });
  for (Atom& atom : charged)
    if (atom.name == oxygen) atom.charge_e += charge_e;
}

}  // namespace ionwell
