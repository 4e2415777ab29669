#include "structures/writers/xyz_writer.hpp"

#include "structures/writers/text_columns.hpp"

namespace ionwell {

std::string xyz_text(const PlacedSystem& system) {
  const std::vector<Atom> atoms = written_atoms(system);
  std::string text = std::to_string(atoms.size()) + "\n";
  text.reserve(48 * (atoms.size() + 2));
  for (const std::string& remark : system.remarks)
    text.append(text.back() == '\n' ? "" : "; ").append(remark);
  text += '\n';
  for (const Atom& atom : atoms) {
    const std::string_view element = atom.element.empty() ? "X" : atom.element.view();
    text += element.front();
    if (element.size() > 1) text += char(element[1] - 'A' + 'a');
    for (const double x_A : {atom.position_A.x, atom.position_A.y, atom.position_A.z})
      append_exact(text += ' ', x_A, 3);
    text += '\n';
  }
  return text;
}

}  // namespace ionwell
