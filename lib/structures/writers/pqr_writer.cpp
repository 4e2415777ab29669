// SPDX-License-Identifier: BSD-3-Clause
#include "structures/writers/pqr_writer.hpp"

#include <cmath>

#include "core/text/quoting.hpp"
#include "structures/molecules/chain_ends.hpp"
#include "structures/solute_elements.hpp"
#include "structures/writers/text_columns.hpp"

namespace ionwell {

namespace {

/// Charges of AMBER's topologies have nine digits and are divided by 18.2223.
double tenth_decimal(double charge_e) {
  return std::round(charge_e * 1e10) / 1e10;
}

std::string pqr_head(const WrittenSystem& system) {
  std::string text;
  for (const std::string& remark : system.placed().remarks)
    text.append("REMARK   6 ").append(one_line(remark)).append("\n");
  if (const auto& cell = system.placed().cell) append_cryst1(text, *cell);
  return text;
}

void append_pqr_atoms(std::string& text, const WrittenSystem& system, const AtomPiece& piece) {
  std::int64_t at = piece.first;
  for (std::size_t i = 0; i < piece.atoms.size(); ++i) {
    const Atom& atom = piece.atoms[i];
    const Atom* const behind = i + 1 < piece.atoms.size() ? &piece.atoms[i + 1] : piece.behind;
    const bool is_polymer = system.is_solute(at) && is_polymer_residue(atom.residue.view());
    text += is_polymer ? "ATOM   " : "HETATM ";
    append_number(text, ++at, 6);
    text += ' ';
    append_word(text, atom.name.view(), 4);
    text += ' ';
    append_word(text, atom.residue.view(), 4);
    text += ' ';
    // Readers count the words of a line: all have a chain, or none.
    if (system.has_chains()) {
      append_word(text, atom.chain.view(), 0);
      text += ' ';
    }
    append_number(text, atom.residue_number, 4);
    text += atom.insertion_code;
    for (const double x_A : {atom.position_A.x, atom.position_A.y, atom.position_A.z})
      append_exact(text += ' ', x_A, 3);
    append_exact(text += ' ', tenth_decimal(atom.charge_e), 4);
    append_exact(text += ' ', atom.radius_A, 4);
    text += '\n';
    if (behind == nullptr || chain_ends_between(atom, *behind)) text += "TER\n";
  }
}

std::string pqr_tail(const WrittenSystem&) {
  return "END\n";
}

}  // namespace

TextFormat pqr_format() {
  return {pqr_head, append_pqr_atoms, pqr_tail, 90};
}

std::string pqr_text(const PlacedSystem& system) {
  return text_of(system, pqr_format());
}

}  // namespace ionwell
