#include "structures/writers/charmm_writer.hpp"

#include "core/error.hpp"
#include "structures/writers/text_columns.hpp"

namespace ionwell {
namespace {

bool begins_residue(const Atom& atom, const Atom& before) {
  return atom.residue_number != before.residue_number || atom.insertion_code != before.insertion_code ||
         atom.residue != before.residue || atom.chain != before.chain || atom.segment != before.segment;
}

/// Never empty: most readers take what is between blanks.
std::string_view segment_of(const Atom& atom) {
  const Label& label = atom.segment.empty() ? atom.chain : atom.segment;
  return label.empty() ? "MAIN" : label.view();
}

std::string residue_id(const Atom& atom) {
  std::string text = std::to_string(atom.residue_number);
  if (atom.insertion_code != ' ') text += atom.insertion_code;
  return text;
}

}  // namespace

std::string charmm_crd_text(const PlacedSystem& system) {
  const std::vector<Atom> atoms = written_atoms(system);
  std::string text;
  text.reserve(142 * (atoms.size() + 4));
  for (const std::string& remark : system.remarks)
    for (std::size_t at = 0; at < remark.size(); at += 76)
      text.append("* ").append(remark.substr(at, 76)).append("\n");
  text += "*\n";
  append_number(text, std::int64_t(atoms.size()), 10);
  text += "  EXT\n";
  std::int64_t residue = 0;
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    const Atom& atom = atoms[i];
    residue += i == 0 || begins_residue(atom, atoms[i - 1]);
    append_number(text, std::int64_t(i) + 1, 10);
    append_number(text, residue, 10);
    append_left(text += "  ", atom.residue.view(), 8);
    append_left(text += "  ", atom.name.view(), 8);
    for (const double x_A : {atom.position_A.x, atom.position_A.y, atom.position_A.z})
      if (!append_fixed(text, x_A, {20, 10}) || !(x_A > -1e8 && x_A < 1e8))
        fail(describe(atom), " is at ", x_A, " A, and a CHARMM file has no room for it");
    append_left(text += "  ", segment_of(atom), 8);
    append_left(text += "  ", residue_id(atom), 8);
    append_fixed(text, 0.0, {20, 10});
    text += '\n';
  }
  return text;
}

}  // namespace ionwell
