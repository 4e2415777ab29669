// SPDX-License-Identifier: BSD-3-Clause
#include "chemistry/chemistry_lines.hpp"

#include "core/text/count_text.hpp"

namespace ionwell {

std::string chain_summary(const Chemistry& chemistry) {
  std::int64_t amino_acids = 0, nucleotides = 0, charge_e = 0, unknown = 0;
  for (const ChainPiece& piece : chemistry.pieces)
    for (const std::uint32_t r : piece.residues) {
      const PerceivedResidue& residue = chemistry.residues[r];
      amino_acids += residue.role == ResidueRole::amino_acid ? 1 : 0;
      nucleotides += residue.role == ResidueRole::nucleotide ? 1 : 0;
      if (residue.standard != nullptr) charge_e += residue.standard->charge_e();
      unknown += residue.standard == nullptr && residue.role != ResidueRole::bead ? 1 : 0;
    }
  if (chemistry.pieces.empty()) return {};
  std::string text;
  if (amino_acids > 0) text = count_of(amino_acids, "amino acid");
  if (nucleotides > 0) (text += text.empty() ? "" : " and ") += count_of(nucleotides, "nucleotide");
  text += " in " + count_of(std::int64_t(chemistry.pieces.size()), "piece") + ", ";
  text += (charge_e > 0 ? "+" : "") + std::to_string(charge_e) + " e with standard ends and protonation";
  return unknown == 0 ? text
                      : text + ", without " + count_of(unknown, "residue") + " that the table does not have";
}

std::vector<std::string> chemistry_lines(const Chemistry& chemistry, std::span<const Atom> atoms,
                                         std::size_t most) {
  std::vector<std::string> lines;
  for (const ChemistryNote& note : chemistry.notes) {
    if (lines.size() == most) {
      lines.push_back("and " + grouped(std::int64_t(chemistry.notes.size() - most)) + " more");
      break;
    }
    lines.push_back(describe_residue(atoms[chemistry.residues[note.residue].begin]) + ": " + note.what +
                    " (" + note.why + ')');
  }
  return lines;
}

}  // namespace ionwell
