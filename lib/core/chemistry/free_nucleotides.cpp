// SPDX-License-Identifier: BSD-3-Clause
#include "core/chemistry/free_nucleotides.hpp"

#include <algorithm>
#include <iterator>

namespace ionwell {

bool is_free_nucleotide(std::string_view name) {
  // The PDB's components, with the analogues of ATP and GTP that are not split, and CHARMM's names.
  constexpr std::string_view names[] = {"ATP", "ADP", "AMP", "ANP", "ACP", "AGS", "GTP", "GDP", "GMP", "5GP",
                                        "GNP", "GSP", "GCP", "CTP", "CDP", "C5P", "UTP", "UDP", "U5P", "TTP",
                                        "TYD", "TMP", "DTP", "DAT", "D5M", "DGT", "DCP", "ITP", "IMP", "C2E"};
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

bool begins_chain(std::span<const Atom> atoms, std::size_t begin, std::size_t end) {
  constexpr double longest_A = 2.1;  // a bond of 1.6 A; models have longer ones
  const auto residue = atoms.subspan(begin, end - begin);
  const auto last = std::find_if(residue.begin(), residue.end(), [](const Atom& atom) {
    return atom.name.view() == "O3'" || atom.name.view() == "O3*";
  });
  if (last == residue.end()) return false;
  for (std::size_t n = end; n < atoms.size() && atoms[n].residue_number == atoms[end].residue_number; ++n)
    if (atoms[n].name == Label("P"))
      return distance_squared(atoms[n].position_A, last->position_A) <= longest_A * longest_A;
  return false;
}

}  // namespace ionwell
