// SPDX-License-Identifier: BSD-3-Clause
#include "structures/pdb/pdb_record.hpp"

#include <cmath>
#include <optional>

#include "core/chemistry/residue_kind.hpp"
#include "core/error.hpp"
#include "core/text/lines.hpp"
#include "core/text/numbers.hpp"
#include "structures/atom_limits.hpp"

namespace ionwell {
namespace {

// Columns, counted from 0.
constexpr std::size_t name_column = 12, alternate_column = 16, residue_column = 17, chain_column = 21,
                      number_column = 22, insertion_column = 26, x_column = 30, occupancy_column = 54,
                      b_factor_column = 60, segment_column = 72, element_column = 76;

char at(std::string_view line, std::size_t column) {
  return column < line.size() ? line[column] : ' ';
}

/// A number between blanks in its columns.
std::optional<double> number_in(std::string_view field) {
  const char* begin = field.data();
  const char* end = begin + field.size();
  while (begin != end && *begin == ' ') ++begin;
  while (begin != end && is_blank(end[-1])) --end;
  if (begin == end) return {};
  double value = 0.0;
  if (scan_short_decimal(begin, end, value) == end) return value;
  return parse_number({begin, std::size_t(end - begin)});
}

class RecordReader {
 public:
  RecordReader(std::string_view line, const std::string& path, std::int64_t number)
      : line_(line), path_(path), number_(number) {}

  PdbRecord read() {
    PdbRecord record;
    Atom& atom = record.atom;
    atom.position_A = {coordinate(0), coordinate(1), coordinate(2)};
    atom.name = trim(columns(line_, name_column, 4));
    if (atom.name.empty()) complain("the atom has no name (columns 13-16)");
    read_residue_and_chain(atom);
    record.is_numbered = read_residue_number(atom);
    atom.segment = trim(columns(line_, segment_column, 4));
    atom.element = element_symbol(trim(columns(line_, element_column, 2)));
    record.details = {at(line_, alternate_column), float(optional_number(occupancy_column, "occupancy", 1.0)),
                      float(optional_number(b_factor_column, "B-factor", 0.0))};
    return record;
  }

 private:
  template <typename... Parts>
  [[noreturn]] void complain(const Parts&... parts) const {
    fail(path_, ':', number_, ": ", parts...,
         "; an ATOM record of a PDB file has x, y and z in columns 31-38, 39-46 and 47-54: write the file "
         "again, or give it the right ending");
  }

  double coordinate(std::size_t axis) const {
    constexpr const char* names[] = {"x", "y", "z"};
    constexpr std::size_t width = 8;
    const std::string_view field = columns(line_, x_column + axis * width, width);
    if (field.size() < width) complain("the line ends before its ", names[axis]);
    const std::optional<double> value = number_in(field);
    if (!value) complain(names[axis], ' ', quote(trim(field)), " is not a finite number");
    if (!(std::abs(*value) < largest_coordinate_A))
      complain(names[axis], " is ", *value, " A, but an atom has at most ", largest_coordinate_A, " A");
    return *value;
  }

  /// Occupancy or B-factor, which may be left out, or be too large for its columns (then Fortran writes *).
  double optional_number(std::size_t column, const char* name, double without) const {
    const std::string_view field = columns(line_, column, 6);
    const std::optional<double> value = number_in(field);
    if (value) return *value;
    if (field.find_first_not_of(" \t\r*") != field.npos)
      complain(name, ' ', quote(trim(field)), " is not a finite number");
    return without;
  }

  /// Column 21 is blank by the format. It belongs to the residue's name in files of CHARMM and VMD (TIP3,
  /// POPC), to the chain's in those of crystallographers who have more than 62.
  void read_residue_and_chain(Atom& atom) const {
    std::size_t chain_begin = chain_column;
    if (at(line_, chain_column - 1) != ' ') {
      const std::string_view three = columns(line_, residue_column, 3),
                             four = columns(line_, residue_column, 4);
      const bool is_full = three.size() == 3 && three.find(' ') == three.npos;
      const bool is_one_name =
          is_full && (at(line_, chain_column) == ' ' || residue_kind(four) != ResidueKind::unknown ||
                      residue_kind(three) == ResidueKind::unknown);
      if (!is_one_name) chain_begin = chain_column - 1;
    }
    atom.residue = trim(columns(line_, residue_column, chain_begin - residue_column));
    atom.chain = trim(columns(line_, chain_begin, chain_column + 1 - chain_begin));
  }

  /// Columns 23-26 and the insertion code in 27, where a fifth digit may stand. False, and 0, for none.
  bool read_residue_number(Atom& atom) const {
    const char code = at(line_, insertion_column);
    atom.insertion_code = is_digit(code) || is_blank(code) ? ' ' : code;
    std::string_view field = columns(line_, number_column, is_digit(code) ? 5 : 4);
    field = trim(field);
    if (const auto decimal = small_integer(field)) {
      atom.residue_number = *decimal;
      return true;
    }
    if (const auto higher = hybrid_36(field)) {
      atom.residue_number = *higher;
      return true;
    }
    return false;
  }

  static std::optional<int> small_integer(std::string_view field) {
    const bool negative = field.starts_with('-');
    if (negative || field.starts_with('+')) field.remove_prefix(1);
    int value = 0;
    for (const char c : field) {
      if (!is_digit(c)) return {};
      value = 10 * value + (c - '0');
    }
    return field.empty() ? std::nullopt : std::optional(negative ? -value : value);
  }

  /// Four characters to base 36, where A000 is 10000 and a000 follows ZZZZ (Grosse-Kunstleve, cctbx); and the
  /// hexadecimal numbers that VMD writes beyond 9999, which begin with a digit.
  static std::optional<int> hybrid_36(std::string_view field) {
    constexpr int first = 10'000, letters_before = 10 * 36 * 36 * 36, per_case = 26 * 36 * 36 * 36;
    if (field.size() != 4) return {};
    const bool is_lower = field[0] >= 'a';
    const int base = is_digit(field[0]) ? 16 : 36;
    int value = 0;
    for (const char c : field) {
      const int digit = is_digit(c) ? c - '0' : is_letter(c) ? 10 + ((c | 0x20) - 'a') : base;
      if (digit >= base) return {};
      value = base * value + digit;
    }
    if (base == 16) return value;
    return value - letters_before + first + (is_lower ? per_case : 0);
  }

  std::string_view line_;
  const std::string& path_;
  std::int64_t number_;
};

}  // namespace

ElementSymbol element_symbol(std::string_view text) {
  if (text.empty() || text.size() > 2) return {};
  char symbol[2] = {};
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (!is_letter(text[i])) return {};
    symbol[i] = char(text[i] & ~0x20);  // upper case of ASCII
  }
  return std::string_view(symbol, text.size());
}

PdbRecord read_pdb_record(std::string_view line, const std::string& path, std::int64_t number) {
  return RecordReader(line, path, number).read();
}

}  // namespace ionwell
