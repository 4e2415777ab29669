// SPDX-License-Identifier: BSD-3-Clause
#include "structures/writers/charmm_writer.hpp"

#include "core/error.hpp"
#include "core/text/quoting.hpp"
#include "structures/writers/text_columns.hpp"

namespace ionwell {
namespace {

/// Never empty: most readers take what is between blanks.
std::string_view segment_of(const Atom& atom) {
  const Label& label = atom.segment.empty() ? atom.chain : atom.segment;
  return label.empty() ? "MAIN" : label.view();
}

std::string charmm_head(const WrittenSystem& system) {
  std::string text;
  for (const std::string& remark : system.placed().remarks)
    for (std::size_t at = 0; at < remark.size(); at += 76)
      text.append("* ").append(ascii_line(remark.substr(at, 76))).append("\n");
  text += "*\n";
  append_number(text, system.atoms(), 10);
  return text += "  EXT\n";
}

void append_charmm_atoms(std::string& text, const WrittenSystem&, const AtomPiece& piece) {
  std::int64_t residue = piece.residues, serial = piece.first;
  const Atom* before = piece.before;
  for (const Atom& atom : piece.atoms) {
    residue += before == nullptr || begins_residue(atom, *before);
    before = &atom;
    append_number(text, ++serial, 10);
    append_number(text, residue, 10);
    append_word(text += "  ", atom.residue.view(), 8);
    append_word(text += "  ", atom.name.view(), 8);
    for (const double x_A : {atom.position_A.x, atom.position_A.y, atom.position_A.z})
      if (!append_fixed(text, x_A, {20, 10}) || !(x_A > -1e8 && x_A < 1e8))
        fail(describe(atom), " is at ", x_A, " A, for which a CHARMM file has no room");
    append_word(text += "  ", segment_of(atom), 8);
    append_left(text += "  ", residue_id_text(atom), 8);
    append_fixed(text, 0.0, {20, 10});
    text += '\n';
  }
}

std::string charmm_tail(const WrittenSystem&) {
  return {};
}

}  // namespace

TextFormat charmm_crd_format() {
  return {charmm_head, append_charmm_atoms, charmm_tail, 142, false};
}

std::string charmm_crd_text(const PlacedSystem& system) {
  return text_of(system, charmm_crd_format());
}

}  // namespace ionwell
