#include "structures/writers/pqr_writer.hpp"

#include <algorithm>

#include "structures/solute_elements.hpp"
#include "structures/writers/text_columns.hpp"

namespace ionwell {

std::string pqr_text(const PlacedSystem& system) {
  const std::vector<Atom> atoms = written_atoms(system);
  std::string text;
  text.reserve(90 * (atoms.size() + 8));
  // Readers count the words of a line: all have a chain, or none.
  const bool has_chains =
      std::all_of(atoms.begin(), atoms.end(), [](const Atom& atom) { return !atom.chain.empty(); });
  for (const std::string& remark : system.remarks) text.append("REMARK   6 ").append(remark).append("\n");
  if (system.cell) append_cryst1(text, *system.cell);
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    const Atom& atom = atoms[i];
    const bool is_polymer = i < system.solute.size() && is_polymer_residue(atom.residue.view());
    text += is_polymer ? "ATOM   " : "HETATM ";
    append_number(text, std::int64_t(i) + 1, 6);
    text += ' ';
    append_left(text, atom.name.view(), 4);
    text += ' ';
    append_left(text, atom.residue.view(), 4);
    text += ' ';
    if (has_chains) text.append(atom.chain.view()).append(" ");
    append_number(text, atom.residue_number, 4);
    text += atom.insertion_code;
    for (const double x_A : {atom.position_A.x, atom.position_A.y, atom.position_A.z})
      append_exact(text += ' ', x_A, 3);
    append_exact(text += ' ', atom.charge_e, 4);
    append_exact(text += ' ', atom.radius_A, 4);
    text += '\n';
    if (i + 1 == atoms.size() || chain_ends_between(atom, atoms[i + 1])) text += "TER\n";
  }
  return text += "END\n";
}

}  // namespace ionwell
