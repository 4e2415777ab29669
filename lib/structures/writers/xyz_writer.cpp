// SPDX-License-Identifier: BSD-3-Clause
#include "structures/writers/xyz_writer.hpp"

#include "core/text/lines.hpp"
#include "core/text/quoting.hpp"
#include "structures/writers/text_columns.hpp"

namespace ionwell {

namespace {

std::string xyz_head(const WrittenSystem& system) {
  std::string text = std::to_string(system.atoms()) + "\n";
  for (const std::string& remark : system.placed().remarks)
    text.append(text.back() == '\n' ? "" : "; ").append(one_line(remark));
  return text += '\n';
}

void append_xyz_atoms(std::string& text, const WrittenSystem&, const AtomPiece& piece) {
  for (const Atom& atom : piece.atoms) {
    const std::string_view element = atom.element.empty() ? "X" : atom.element.view();
    text += element.front();
    text += lower_case(element.substr(1));
    for (const double x_A : {atom.position_A.x, atom.position_A.y, atom.position_A.z})
      append_exact(text += ' ', x_A, 3);
    text += '\n';
  }
}

std::string xyz_tail(const WrittenSystem&) {
  return {};
}

}  // namespace

TextFormat xyz_format() {
  return {xyz_head, append_xyz_atoms, xyz_tail, 48, false};
}

std::string xyz_text(const PlacedSystem& system) {
  return text_of(system, xyz_format());
}

}  // namespace ionwell
