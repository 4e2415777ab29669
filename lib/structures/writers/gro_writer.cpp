#include "structures/writers/gro_writer.hpp"

#include <cmath>

#include "core/error.hpp"
#include "core/text/lines.hpp"
#include "core/unit_cell.hpp"
#include "structures/writers/text_columns.hpp"

namespace ionwell {
namespace {

constexpr double nm_per_A = 0.1;
constexpr std::int64_t wrap = 100'000;  // serials and residue numbers have five columns
constexpr std::size_t longest_name = 5;

void check(const Atom& atom) {
  for (const std::string_view name : {atom.name.view(), atom.residue.view()})
    if (name.size() > longest_name)
      fail("the name ", quote(name), " of ", describe(atom),
           " has more than 5 characters and a .gro file has no room for it; let -o end in .cif");
}

/// x y z of the vectors' own axes, then the rest for a cell with other angles than 90.
void append_box(std::string& text, const std::optional<UnitCell>& cell) {
  const CellVectors v = cell ? cell_vectors(*cell) : CellVectors{};
  const double own[] = {v.a.x, v.b.y, v.c.z}, rest[] = {v.a.y, v.a.z, v.b.x, v.b.z, v.c.x, v.c.y};
  for (const double x_A : own) append_fixed(text, nm_per_A * x_A, {10, 5});
  bool is_skew = false;
  for (const double x_A : rest) is_skew |= std::abs(x_A) > 1e-6;
  if (is_skew)
    for (const double x_A : rest) append_fixed(text, nm_per_A * x_A, {10, 5});
  text += '\n';
}

}  // namespace

std::string gro_text(const PlacedSystem& system) {
  const std::vector<Atom> atoms = written_atoms(system);
  std::string text = system.remarks.empty() ? "positions" : system.remarks.front();
  text.reserve(text.size() + 45 * (atoms.size() + 4));
  text += '\n';
  append_number(text, std::int64_t(atoms.size()), 5);
  text += '\n';
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    const Atom& atom = atoms[i];
    check(atom);
    append_number(text, atom.residue_number % wrap, 5);
    append_left(text, atom.residue.view(), longest_name);
    append_right(text, atom.name.view(), longest_name);
    append_number(text, (std::int64_t(i) + 1) % wrap, 5);
    for (const double x_A : {atom.position_A.x, atom.position_A.y, atom.position_A.z})
      if (!(x_A > -9999.995 && x_A < 99999.995) || !append_fixed(text, nm_per_A * x_A, {8, 3}))
        fail(describe(atom), " is at ", x_A,
             " A, and a .gro file holds positions from -9999.99 to 99999.99 A; let -o end in .cif");
    text += '\n';
  }
  append_box(text, system.cell);
  return text;
}

}  // namespace ionwell
