// SPDX-License-Identifier: BSD-3-Clause
#include "core/structure.hpp"

namespace ionwell {

Box bounding_box(std::span<const Atom> atoms) {
  Box box{atoms.front().position_A, atoms.front().position_A};
  for (const Atom& atom : atoms) box = extended(box, atom.position_A);
  return box;
}

double net_charge_e(std::span<const Atom> atoms) {
  double sum = 0.0;
  for (const Atom& atom : atoms) sum += atom.charge_e;
  return sum;
}

std::vector<PointCharge> point_charges(std::span<const Atom> atoms) {
  std::vector<PointCharge> charges;
  charges.reserve(atoms.size());
  for (const Atom& atom : atoms)
    if (atom.charge_e != 0.0) charges.push_back({atom.position_A, atom.charge_e});
  return charges;
}

std::string residue_id_text(const Atom& atom) {
  std::string text = std::to_string(atom.residue_number);
  if (atom.insertion_code != ' ' && atom.insertion_code != '\0') text += atom.insertion_code;
  return text;
}

std::string describe_residue(const Atom& atom) {
  std::string text(atom.residue.view());
  text.append(" ") += residue_id_text(atom);
  if (!atom.chain.empty()) text.append(" ").append(atom.chain.view());
  return text;
}

std::string describe(const Atom& atom) {
  return describe_residue(atom).append(" ").append(atom.name.view());
}

}  // namespace ionwell
