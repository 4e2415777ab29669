// SPDX-License-Identifier: BSD-3-Clause
#include "chemistry/decisions/residue_ends.hpp"

#include <algorithm>
#include <utility>

#include "chemistry/templates/residue_table.hpp"

namespace ionwell {

ResidueEnds ends_of(const Chemistry& chemistry, std::uint32_t residue) {
  const std::uint32_t number = chemistry.residues[residue].piece;
  if (number == nothing) return {};
  const ChainPiece& piece = chemistry.pieces[number];
  if (piece.is_ring) return {};
  return {piece.residues.front() == residue, piece.residues.back() == residue};
}

bool breaks_behind(const Chemistry& chemistry, std::uint32_t residue) {
  return chemistry.residues[residue].after == nothing &&
         std::any_of(chemistry.gaps.begin(), chemistry.gaps.end(),
                     [residue](const ChainGap& gap) { return gap.before == residue; });
}

std::string why_phosphate_goes(std::span<const Atom> atoms, const Chemistry& chemistry,
                               std::uint32_t residue) {
  for (const ResidueLink& link : chemistry.links)
    for (const auto& [own, other] : {std::pair(link.first, link.second), {link.second, link.first}})
      if (chemistry.residue_of(own) == residue && atoms[own].name == Label("P"))
        return "P is bound to " + std::string(atoms[other].name.view()) + " of " +
               describe_residue(atoms[other]) + ", for which there are no parameters";
  return "nothing is bound to that phosphate";
}

const ResidueTemplate* parent_template(std::string_view parent, const ResidueEnds& ends) {
  const ResidueTable& table = residue_table();
  const ResidueTemplate* const inner = table.find(parent);
  if (inner == nullptr || (inner->kind != ResidueClass::amino_acid && inner->kind != ResidueClass::rna &&
                           inner->kind != ResidueClass::dna))
    return nullptr;
  const bool is_nucleotide = inner->kind != ResidueClass::amino_acid;
  ChainEnds at;
  if (ends.is_first) at.first = is_nucleotide ? ChainEnd::five_hydroxyl : ChainEnd::n_terminal;
  if (ends.is_last) at.last = is_nucleotide ? ChainEnd::three_hydroxyl : ChainEnd::c_terminal;
  return table.find(parent, at);
}

}  // namespace ionwell
