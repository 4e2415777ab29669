// SPDX-License-Identifier: BSD-3-Clause
#include "chemistry/perception/ester_bonds.hpp"

#include <utility>

namespace ionwell {

std::vector<EsterBond> ester_bonds(std::span<const Atom> atoms, const Chemistry& chemistry) {
  const auto role = [&](std::uint32_t atom) { return chemistry.residues[chemistry.residue_of(atom)].role; };
  std::vector<EsterBond> esters;
  for (const ResidueLink& link : chemistry.links)
    for (const auto& [oxygen, carbon] : {std::pair(link.first, link.second), {link.second, link.first}})
      if (role(oxygen) == ResidueRole::nucleotide && role(carbon) == ResidueRole::amino_acid &&
          atoms[oxygen].name.view().starts_with('O') && atoms[carbon].name == Label("C"))
        esters.push_back({oxygen, carbon});
  return esters;
}

}  // namespace ionwell
