// SPDX-License-Identifier: BSD-3-Clause
#include "input/pdb2pqr_double.hpp"

namespace ionwell::test {

ChargedStructure Pdb2pqrDouble::operator()(const Structure& sent) {
  asked = sent;
  ChargedStructure answer;
  for (std::size_t begin = 0, end = 0; begin < sent.atoms.size(); begin = end) {
    const Atom& first = sent.atoms[begin];
    for (end = begin + 1; end < sent.atoms.size() && !sent.atoms[end - 1].ends_chain &&
                          sent.atoms[end].residue_number == first.residue_number &&
                          sent.atoms[end].residue == first.residue;)
      ++end;
    if (first.residue == Label("NME")) continue;
    for (std::size_t n = begin; n < end; ++n) {
      Atom atom = sent.atoms[n];
      if (atom.name.view() == without) continue;
      atom.charge_e = charge_e_ / double(end - begin);
      atom.radius_A = 1.5;
      answer.structure.atoms.push_back(atom);
    }
  }
  return answer;
}

Structure structure_of(const MadeStructure& made) {
  Structure structure;
  structure.path = "x.pdb";
  structure.atoms = made.atoms();
  return structure;
}

ChargedEntry charged(const MadeStructure& made, Pdb2pqrDouble& program, const EntryOptions& options) {
  return charge_entry(structure_of(made), {}, options,
                      [&program](const Structure& sent) { return program(sent); });
}

double charge_of(const Structure& structure, int number) {
  double sum_e = 0.0;
  for (const Atom& atom : structure.atoms)
    if (atom.residue_number == number) sum_e += atom.charge_e;
  return sum_e;
}

std::string chains_of(const std::vector<Atom>& atoms) {
  std::string text;
  for (std::size_t n = 0; n < atoms.size(); ++n) {
    const bool begins = n == 0 || !(atoms[n].residue == atoms[n - 1].residue) ||
                        atoms[n].residue_number != atoms[n - 1].residue_number || atoms[n - 1].ends_chain;
    if (begins) (text += text.empty() || text.back() == '|' ? "" : " ") += atoms[n].residue.view();
    if (atoms[n].ends_chain) text += '|';
  }
  return text;
}

}  // namespace ionwell::test
