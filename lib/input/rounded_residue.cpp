// SPDX-License-Identifier: BSD-3-Clause
#include "input/rounded_residue.hpp"

#include <cmath>

#include "chemistry/decisions/made_residue.hpp"
#include "structures/solute_elements.hpp"

namespace ionwell {

void round_net_charge(std::span<Atom> residue) {
  constexpr double rounding_e = 0.5e-4, least_e = 1e-7;
  double sum_e = 0.0;
  for (const Atom& atom : residue) sum_e += atom.charge_e;
  const double rest_e = std::round(sum_e) - sum_e, most_e = rounding_e * double(residue.size());
  if (std::abs(rest_e) < least_e || std::abs(rest_e) > most_e) return;
  for (Atom& atom : residue) atom.charge_e += rest_e / double(residue.size());
}

std::vector<Atom> uncharged_atoms(std::span<const Atom> residue) {
  std::vector<Atom> plain(residue.begin(), residue.end());
  for (Atom& atom : plain) atom.radius_A = amber_radius_A(element_of(atom));
  return plain;
}

}  // namespace ionwell
