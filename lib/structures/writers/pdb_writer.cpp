// SPDX-License-Identifier: BSD-3-Clause
#include "structures/writers/pdb_writer.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <string_view>

#include "core/error.hpp"
#include "core/text/count_text.hpp"
#include "core/text/lines.hpp"
#include "core/text/quoting.hpp"
#include "structures/molecules/chain_ends.hpp"
#include "structures/pdb/cryst1.hpp"
#include "structures/pdb/pdb_header.hpp"
#include "structures/solute_elements.hpp"
#include "structures/writers/text_columns.hpp"

namespace ionwell {
namespace {

constexpr std::int64_t serials = 100'000;  // columns 7-11 hold 0 to 99,999
constexpr int residue_numbers = 10'000;    // columns 23-26 hold -999 to 9,999
constexpr std::size_t remark_width = 69;   // columns 12-80

/// Columns 31-54. The limits are those of %8.3f.
void append_coordinates(std::string& text, const Atom& atom) {
  for (const double x_A : {atom.position_A.x, atom.position_A.y, atom.position_A.z})
    if (!(x_A > -999.9995 && x_A < 9999.9995) || !append_fixed(text, x_A, {8, 3}))
      fail(describe(atom), " is at ", x_A,
           " A, but a PDB file has room for -999.999 to 9999.999; move the structure towards the origin, or "
           "use -o with the ending .cif");
}

/// Columns 13-16: the element's symbol ends in column 14.
void append_name(std::string& text, const Atom& atom) {
  const std::string_view name = atom.name.view();
  const bool is_shifted = name.size() < 4 && atom.element.view().size() < 2;
  if (is_shifted) text += ' ';
  append_left(text, name, is_shifted ? 3 : 4);
}

/// Columns 18-21: three letters and the blank before the chain, or four letters.
void append_residue(std::string& text, const Atom& atom) {
  const std::string_view residue = atom.residue.view();
  append_right(text, residue, 3);
  if (residue.size() < 4) text += ' ';
}

/// Columns 7-11: decimal as long as that fits.
void append_serial(std::string& text, std::int64_t serial, PdbSerials kind) {
  if (serial < serials || kind == PdbSerials::wrapped) {
    append_number(text, serial % serials, 5);
    return;
  }
  constexpr std::int64_t of_hex = 0x100000;
  char digits[16];
  if (kind == PdbSerials::hex) {  // 100,000 is 186a0; past fffff it begins again
    std::snprintf(digits, sizeof digits, "%05llx", static_cast<unsigned long long>(serial % of_hex));
    text += digits;
    return;
  }
  // Hybrid-36: A0000 is 100,000; five digits to the base 36, the first a letter, capitals first.
  constexpr std::int64_t letters = 26, of_case = letters * 36 * 36 * 36 * 36;
  std::int64_t rest = (serial - serials) % (2 * of_case);
  const char ten = rest < of_case ? 'A' : 'a';
  rest = rest % of_case + std::int64_t{10} * 36 * 36 * 36 * 36;
  for (std::size_t i = 5; i-- > 0; rest /= 36)
    digits[i] = char(rest % 36 < 10 ? '0' + rest % 36 : ten + (rest % 36 - 10));
  text.append(digits, 5);
}

void check_names(const Atom& atom) {
  for (const std::string_view name : {atom.name.view(), atom.residue.view()})
    if (name.size() > 4)
      fail("the name ", quote(name), " of ", describe(atom),
           " has more than 4 characters, for which a PDB file has no room; use -o with the ending .cif, or "
           "write the ions without the solute");
}

/// "2+", "1-": columns 79-80 hold one digit, so nothing for other charges.
std::string charge_columns(double charge_e) {
  const double digits = std::abs(charge_e);
  if (digits != std::round(digits) || digits > 9.0 || digits == 0.0) return {};
  return std::string(1, char('0' + int(digits))) + (charge_e > 0.0 ? '+' : '-');
}

void append_remark(std::string& text, std::string_view paragraph) {
  std::string line;
  const auto flush = [&] {
    if (!line.empty()) text += "REMARK   6 " + line + '\n';
    line.clear();
  };
  for (std::string_view word = take_token(paragraph); !word.empty(); word = take_token(paragraph))
    for (; !word.empty(); word.remove_prefix(std::min(word.size(), remark_width))) {
      const std::string_view part = word.substr(0, remark_width);
      if (line.size() + 1 + part.size() > remark_width) flush();
      if (!line.empty()) line += ' ';
      line += ascii_line(part);
    }
  flush();
}

/// What an atom's line begins with, and whether its charge is shown.
enum class Record { polymer, other, ion };

/// Chains and segments of one letter go to column 22, longer ones to the segment's columns.
void append_atom(std::string& text, const Atom& atom, std::int64_t serial, PdbSerials serials_kind,
                 Record record) {
  check_names(atom);
  const std::string_view chain = atom.chain.view();
  const std::string_view segment = atom.segment.empty() && chain.size() > 1 ? chain : atom.segment.view();
  text += record == Record::polymer ? "ATOM  " : "HETATM";
  append_serial(text, serial, serials_kind);
  append_name(text += ' ', atom);
  append_residue(text += ' ', atom);
  text += chain.size() == 1 ? chain[0] : ' ';
  append_number(text,
                atom.residue_number < 0 ? atom.residue_number % (residue_numbers / 10)
                                        : atom.residue_number % residue_numbers,
                4);
  text += atom.insertion_code;
  append_coordinates(text += "   ", atom);
  append_left(text += "  1.00  0.00      ", segment.substr(0, 4), 4);
  append_right(text, atom.element.view(), 2);
  append_left(text, record == Record::ion ? charge_columns(atom.charge_e) : std::string(), 2);
  text += '\n';
}

/// Whether a CRYST1 record of the input has this cell, which another file of the input may have given.
bool is_cell(const std::string& record, const UnitCell& cell) {
  constexpr double length_digits_A = 1e-3, angle_digits_deg = 1e-2;
  const auto is_same = [](const Vec3<double>& u, const Vec3<double>& v, double digits) {
    return std::abs(u.x - v.x) < digits && std::abs(u.y - v.y) < digits && std::abs(u.z - v.z) < digits;
  };
  const std::optional<UnitCell> own = read_cryst1(record, "CRYST1");
  return own && is_same(lengths_A(*own), lengths_A(cell), length_digits_A) &&
         is_same(angles_deg(*own), angles_deg(cell), angle_digits_deg);
}

std::string pdb_head(const WrittenSystem& written) {
  const PlacedSystem& system = written.placed();
  if (system.ions_before + system.ions.size() > most_numbered_ions())
    fail("a PDB file has chains and residue numbers for ", grouped(std::int64_t(most_numbered_ions())),
         " ions, not for ", grouped(std::ssize(system.ions)),
         "; place fewer, or use -o with the ending .cif");
  std::string text;
  for (const std::string& remark : system.remarks) append_remark(text, remark);
  const bool has_cell =
      system.cell &&
      std::any_of(system.records.begin(), system.records.end(), [&](const std::string& record) {
        return record.starts_with("CRYST1") && is_cell(record, *system.cell);
      });
  // What is said of a crystal does not hold good for another cell.
  const std::vector<std::string> records =
      system.cell && !has_cell ? records_without_places(system.records) : system.records;
  for (const std::string& record : records) text.append(one_line(record)).append("\n");
  if (system.cell && !has_cell) append_cryst1(text, *system.cell);
  return text;
}

void append_pdb_atoms(std::string& text, const WrittenSystem& system, const AtomPiece& piece) {
  std::int64_t at = piece.first;
  Label residue;  // of the atom before, and its record
  Record record = Record::other;
  for (std::size_t i = 0; i < piece.atoms.size(); ++i) {
    const Atom& atom = piece.atoms[i];
    const Atom* const behind = i + 1 < piece.atoms.size() ? &piece.atoms[i + 1] : piece.behind;
    if (atom.residue != residue) {
      residue = atom.residue;
      record = is_polymer_residue(residue.view()) ? Record::polymer : Record::other;
    }
    const Record here = system.is_solute(at) ? record : (system.is_ion(at) ? Record::ion : Record::other);
    append_atom(text, atom, ++at, system.placed().serials, here);
    if (behind == nullptr || chain_ends_between(atom, *behind)) text += "TER\n";
  }
}

std::string pdb_tail(const WrittenSystem&) {
  return "END\n";
}

}  // namespace

TextFormat pdb_format() {
  return {pdb_head, append_pdb_atoms, pdb_tail, 84};
}

std::string pdb_text(const PlacedSystem& system) {
  return text_of(system, pdb_format());
}

}  // namespace ionwell
