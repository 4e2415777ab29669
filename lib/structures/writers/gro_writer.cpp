// SPDX-License-Identifier: BSD-3-Clause
#include "structures/writers/gro_writer.hpp"

#include <cmath>

#include "core/error.hpp"
#include "core/text/lines.hpp"
#include "core/text/quoting.hpp"
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
           " has more than 5 characters, for which a .gro file has no room; use -o with the ending .cif");
}

/// x y z of the vectors' own axes, then the rest for a cell with other angles than 90.
std::string box_line(const std::optional<UnitCell>& cell) {
  std::string text;
  const CellVectors v = cell ? CellVectors(*cell) : CellVectors{};
  const double own[] = {v.a.x, v.b.y, v.c.z}, rest[] = {v.a.y, v.a.z, v.b.x, v.b.z, v.c.x, v.c.y};
  for (const double x_A : own) append_fixed(text, nm_per_A * x_A, {10, 5});
  bool is_skew = false;
  for (const double x_A : rest) is_skew |= std::abs(x_A) > 1e-6;
  if (is_skew)
    for (const double x_A : rest) append_fixed(text, nm_per_A * x_A, {10, 5});
  return text += '\n';
}

std::string gro_head(const WrittenSystem& system) {
  const std::vector<std::string>& remarks = system.placed().remarks;
  std::string text = remarks.empty() ? "positions" : one_line(remarks.front());
  append_number(text += '\n', system.atoms(), 5);
  return text += '\n';
}

void append_gro_atoms(std::string& text, const WrittenSystem&, const AtomPiece& piece) {
  std::int64_t serial = piece.first;
  for (const Atom& atom : piece.atoms) {
    check(atom);
    const int number = atom.residue_number;
    append_number(text, number % (number < 0 ? wrap / 10 : wrap), 5);  // with its sign
    append_left(text, atom.residue.view(), longest_name);
    append_right(text, atom.name.view(), longest_name);
    append_number(text, ++serial % wrap, 5);
    for (const double x_A : {atom.position_A.x, atom.position_A.y, atom.position_A.z})
      if (!(x_A > -9999.995 && x_A < 99999.995) || !append_fixed(text, nm_per_A * x_A, {8, 3}))
        fail(describe(atom), " is at ", x_A,
             " A, but a .gro file has room for -9999.99 to 99999.99 A; use -o with the ending .cif");
    text += '\n';
  }
}

std::string gro_tail(const WrittenSystem& system) {
  return box_line(system.placed().cell);
}

}  // namespace

TextFormat gro_format() {
  return {gro_head, append_gro_atoms, gro_tail, 45};
}

std::string gro_text(const PlacedSystem& system) {
  return text_of(system, gro_format());
}

}  // namespace ionwell
