// SPDX-License-Identifier: BSD-3-Clause
#include "structures/pdb/pqr_record.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/error.hpp"
#include "core/text/lines.hpp"
#include "core/text/numbers.hpp"
#include "structures/atom_limits.hpp"
#include "structures/pdb2pqr_command.hpp"

namespace ionwell {

struct PqrRecordReader::Reading {
  Atom atom;
  bool fills_columns = false;  // x, y, z are right-adjusted in their columns with three decimals
  bool residue_number_known = true;
};

namespace {

// PDB columns, counted from 0.
constexpr std::size_t name_column = 12, residue_column = 16, chain_column = 21, number_column = 22,
                      insertion_column = 26, x_column = 30, coordinate_width = 8, charge_column = 54,
                      radius_column = 62;

// What atoms and ions have; used only to choose between two readings.
constexpr double usual_charge_e = 20.0, usual_radius_A = 10.0, usual_step_A = 10.0;

char at(std::string_view line, std::size_t column) {
  return column < line.size() ? line[column] : ' ';
}
bool is_sign(char c) {
  return c == '-' || c == '+';
}

/// Three decimals that fill 8 columns, as in -123.456.
bool scan_coordinate(const char* field, double& value) {
  const auto digit = [field](int i) { return unsigned(field[i] - '0'); };
  if (field[4] != '.' || digit(5) > 9 || digit(6) > 9 || digit(7) > 9) return false;
  int i = 0;
  while (i < 3 && field[i] == ' ') ++i;
  const bool negative = field[i] == '-';
  if (negative) ++i;
  if (i == 4) return false;
  unsigned whole = 0;
  for (; i < 4; ++i) {
    if (digit(i) > 9) return false;
    whole = 10 * whole + digit(i);
  }
  value = (1000 * whole + 100 * digit(5) + 10 * digit(6) + digit(7)) / 1000.0;
  if (negative) value = -value;
  return true;
}

/// Element, formal charge or segment behind the radius: short and without a decimal point.
bool is_harmless_tail(std::string_view tail) {
  for (int tokens = 0;; ++tokens) {
    const std::string_view token = take_token(tail);
    if (token.empty()) return true;
    if (tokens == 2 || token.size() > 4 || token.find('.') != token.npos) return false;
  }
}

/// Nothing where the columns hold no name and number.
bool read_names_in_columns(std::string_view line, Atom& atom) {
  if (line[name_column - 1] != ' ' && !is_digit(line[name_column - 1])) return false;  // a serial past 99,999
  const bool five_digits = is_digit(line[insertion_column]);
  const auto number = parse_integer(trim(line.substr(number_column, five_digits ? 5 : 4)));
  if (!number) return false;
  for (std::size_t i = insertion_column + 1; i < x_column; ++i)
    if (line[i] != ' ') return false;
  atom.name = trim(line.substr(name_column, 4));
  atom.residue = trim(line.substr(residue_column, 5));
  atom.chain = trim(line.substr(chain_column, 1));
  atom.residue_number = *number;
  atom.insertion_code = five_digits ? ' ' : line[insertion_column];
  return !atom.name.empty();
}

/// Reads 36, 36A, A36, A-36A or **** (a number too long for its writer's column).
bool read_residue_number(std::string_view token, bool chain_may_touch, Atom& atom, bool& known) {
  known = token.find_first_not_of('*') != token.npos;
  if (!known) return !token.empty();
  std::size_t begin = 0;
  while (begin < token.size() && !is_digit(token[begin]) && token[begin] != '-') ++begin;
  if (begin > (chain_may_touch ? 1u : 0u)) return false;  // a chain that touches has one letter, as in PDB
  atom.insertion_code = ' ';
  std::string_view digits = token.substr(begin);
  if (!digits.empty() && is_letter(digits.back())) {
    atom.insertion_code = digits.back();
    digits.remove_suffix(1);
  }
  const auto number = parse_integer(digits);
  if (!number) return false;
  atom.residue_number = *number;
  if (begin > 0) atom.chain = token.substr(0, begin);
  return true;
}

constexpr std::size_t record_length(std::string_view line) {
  return (line[0] | 0x20) == 'a' ? 4 : 6;  // ATOM, HETATM
}

/// Record, serial, name, residue, chain, number between blanks; serial may touch the record, chain the
/// number, name the residue.
bool read_names_between_blanks(std::string_view names, Atom& atom, bool& number_known) {
  names = trim(names);
  names.remove_prefix(std::min(record_length(names), names.size()));
  take_token(names);  // the serial number
  std::array<std::string_view, 5> tokens;
  std::size_t count = 0;
  for (std::string_view token; !(token = take_token(names)).empty();) {
    if (count == tokens.size()) return false;
    tokens[count++] = token;
  }
  char insertion_code = ' ';
  if (count > 3 && tokens[count - 1].size() == 1 && is_letter(tokens[count - 1][0]) &&
      parse_integer(tokens[count - 2])) {
    insertion_code = tokens[--count][0];  // a number and its insertion code with a blank between
  }
  if (count < 2) return false;
  const bool has_chain = count >= 4;
  if (!read_residue_number(tokens[count - 1], !has_chain, atom, number_known)) return false;
  if (insertion_code != ' ') atom.insertion_code = insertion_code;
  if (has_chain) atom.chain = tokens[count - 2];
  atom.name = tokens[0];
  if (count >= 3) atom.residue = tokens[1];
  return true;
}

bool is_not_finite(std::string_view token) {
  std::string lower(token.substr(0, 3));
  for (char& c : lower) c = char(c | 0x20);
  return lower == "nan" || lower == "inf";
}

/// An element such as N, NA or O1-; not a number gone wrong.
bool is_element(std::string_view token) {
  return !token.empty() && is_letter(token.front()) && token.size() <= 4 && !is_not_finite(token);
}

bool has_point(std::string_view token) {
  return token.find_first_of(".eE") != token.npos;
}

bool within_limits(const Atom& atom) {
  const Vec3<double>& p = atom.position_A;
  return std::abs(p.x) < largest_coordinate_A && std::abs(p.y) < largest_coordinate_A &&
         std::abs(p.z) < largest_coordinate_A && std::abs(atom.charge_e) <= largest_charge_e &&
         atom.radius_A >= 0.0 && atom.radius_A <= largest_radius_A;
}

bool is_usual(const Atom& atom) {
  return within_limits(atom) && std::abs(atom.charge_e) <= usual_charge_e && atom.radius_A <= usual_radius_A;
}

bool same_numbers(const Atom& a, const Atom& b) {
  return a.position_A == b.position_A && a.charge_e == b.charge_e && a.radius_A == b.radius_A;
}

/// The common case: everything in its column and nothing touching but minus signs, so both readings agree.
bool read_by_the_book(std::string_view line, Atom& atom) {
  if (line.size() <= radius_column || line[x_column - 1] != ' ') return false;
  const char* text = line.data();
  Vec3<double>& p = atom.position_A;
  if (!scan_coordinate(text + x_column, p.x) || !scan_coordinate(text + x_column + coordinate_width, p.y) ||
      !scan_coordinate(text + x_column + 2 * coordinate_width, p.z))
    return false;
  for (std::size_t end = x_column + coordinate_width; end <= charge_column; end += coordinate_width)
    if (text[end] != ' ' && text[end] != '-') return false;

  const char *scan = text + charge_column, *end = text + line.size();
  while (scan != end && *scan == ' ') ++scan;
  scan = scan_short_decimal(scan, end, atom.charge_e);
  if (scan == nullptr || scan == end || *scan != ' ') return false;
  while (scan != end && *scan == ' ') ++scan;
  scan = scan_short_decimal(scan, end, atom.radius_A);
  if (scan == nullptr) return false;
  if (scan != end) {
    const std::string_view tail(scan, std::size_t(end - scan));
    const std::string_view first = trim(tail);
    if (tail[0] != ' ' || (!first.empty() && !is_letter(first[0])) || !is_harmless_tail(tail)) return false;
    if (tail.find_first_of("0123456789") != tail.npos) return false;  // may be a number of its own
  }
  return read_names_in_columns(line, atom);
}

}  // namespace

bool is_atom_record(std::string_view line) {
  const auto starts_with = [line](std::string_view record) {
    if (line.size() <= record.size()) return false;
    for (std::size_t i = 0; i < record.size(); ++i)
      if ((line[i] | 0x20) != record[i]) return false;
    return true;
  };
  const auto is_serial_or_blank = [](char c) { return is_blank(c) || is_digit(c) || c == '*'; };
  return (starts_with("atom") && is_serial_or_blank(line[4])) ||
         starts_with("hetatm");  // fills its columns: serials can touch it, also 186a0 and A0000
}

std::optional<PqrRecordReader::Reading> PqrRecordReader::by_columns(std::string_view line) {
  if (line.size() <= charge_column || line.find('\t') != line.npos) return std::nullopt;
  Reading reading{.fills_columns = true};
  std::array<double, 3> position_A;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::size_t column = x_column + coordinate_width * axis;
    const auto value = parse_number(trim(line.substr(column, coordinate_width)));
    if (!value) return std::nullopt;
    position_A[axis] = *value;
    double ignored;
    reading.fills_columns = reading.fills_columns && scan_coordinate(line.data() + column, ignored);
  }
  for (std::size_t column = x_column; column <= charge_column; column += coordinate_width) {
    if (is_blank(line[column - 1]) || is_blank(line[column]) || is_sign(line[column])) continue;
    // Digits on both sides: two numbers that fill their columns, or one that the columns would cut.
    const bool next_fills =
        at(line, column + 4) == '.' || (column == charge_column && at(line, column + 3) == '.');
    if (column == x_column || line[column - 4] != '.' || !next_fills) return std::nullopt;
  }

  std::string_view tail = line.substr(charge_column);
  auto charge = parse_number(take_token(tail));
  auto radius = parse_number(take_token(tail));
  if ((!charge || !radius) && line.size() > radius_column) {  // they may touch
    charge = parse_number(trim(line.substr(charge_column, radius_column - charge_column)));
    tail = line.substr(radius_column);
    radius = parse_number(take_token(tail));
  }
  if (!charge || !radius || !is_harmless_tail(tail)) return std::nullopt;

  reading.atom.position_A = {position_A[0], position_A[1], position_A[2]};
  reading.atom.charge_e = *charge;
  reading.atom.radius_A = *radius;
  if (read_names_in_columns(line, reading.atom)) return reading;
  if (read_names_between_blanks(line.substr(0, x_column), reading.atom, reading.residue_number_known))
    return reading;
  reading.atom.name = trim(line.substr(name_column, 4));
  reading.atom.residue = trim(line.substr(residue_column, 5));
  reading.atom.chain = trim(line.substr(chain_column, 1));
  reading.residue_number_known = false;
  return reading;
}

std::optional<PqrRecordReader::Reading> PqrRecordReader::by_blanks(std::string_view line) {
  std::array<std::string_view, 5> numbers;  // from the right: radius, charge, z, y, x
  std::array<double, 5> values;
  std::size_t count = 0;
  std::string_view rest = line;
  const auto take_last_token = [&rest] {
    while (!rest.empty() && is_blank(rest.back())) rest.remove_suffix(1);
    std::size_t begin = rest.size();
    while (begin > 0 && !is_blank(rest[begin - 1])) --begin;
    return rest.substr(begin);
  };
  for (int elements = 0; elements < 2 && is_element(take_last_token()); ++elements)
    rest.remove_suffix(take_last_token().size());

  while (count < numbers.size()) {
    std::string_view token = take_last_token();
    if (token.empty()) return std::nullopt;
    if (!parse_number(token)) {  // several numbers may touch: each but the first then starts with its sign
      std::size_t begin = token.size() - 1;
      while (begin > 0 && !(is_sign(token[begin]) && (is_digit(token[begin - 1]) || token[begin - 1] == '.')))
        --begin;
      token.remove_prefix(begin);
    }
    const auto value = parse_number(token);
    if (!value) return std::nullopt;
    numbers[count] = token;
    values[count++] = *value;
    rest.remove_suffix(token.size());
  }
  // A residue number taken for x, because a number is missing further on, has no decimal point.
  if (has_point(numbers[4]) != has_point(numbers[3]) || has_point(numbers[4]) != has_point(numbers[2]))
    return std::nullopt;

  Reading reading;
  reading.atom.position_A = {values[4], values[3], values[2]};
  reading.atom.charge_e = values[1];
  reading.atom.radius_A = values[0];
  if (!read_names_between_blanks(rest, reading.atom, reading.residue_number_known)) return std::nullopt;
  return reading;
}

const PqrRecordReader::Reading& PqrRecordReader::more_plausible(const Reading& columns,
                                                                const Reading& blanks) const {
  if (within_limits(columns.atom) != within_limits(blanks.atom))
    return within_limits(columns.atom) ? columns : blanks;
  if (is_usual(columns.atom) != is_usual(blanks.atom)) return is_usual(columns.atom) ? columns : blanks;
  if (previous_A_) {
    const auto is_near = [this](const Reading& reading) {
      return distance_squared(reading.atom.position_A, *previous_A_) < usual_step_A * usual_step_A;
    };
    if (is_near(columns) != is_near(blanks)) return is_near(columns) ? columns : blanks;
  }
  if (only_columns_ != only_blanks_) return only_columns_ > only_blanks_ ? columns : blanks;
  return columns.fills_columns ? columns : blanks;
}

Atom PqrRecordReader::read_both_ways(std::string_view line, std::int64_t number) {
  const auto columns = by_columns(line), blanks = by_blanks(line);
  const Reading* chosen = nullptr;
  if (columns && blanks) {
    chosen = &*columns;
    if (!same_numbers(columns->atom, blanks->atom)) {
      disputed_.note(number);
      chosen = &more_plausible(*columns, *blanks);
    } else if (!columns->residue_number_known) {
      chosen = &*blanks;
    }
  } else if (columns) {
    ++only_columns_;
    chosen = &*columns;
  } else if (blanks) {
    ++only_blanks_;
    chosen = &*blanks;
  } else {
    complain(line, number);
  }
  if (!chosen->residue_number_known) unnumbered_.note(number);
  return chosen->atom;
}

Atom PqrRecordReader::read(std::string_view line, std::int64_t number) {
  Atom atom;
  if (!read_by_the_book(line, atom)) atom = read_both_ways(trim(line), number);
  if (!within_limits(atom)) check_sizes(atom, number);
  previous_A_ = atom.position_A;
  return atom;
}

void PqrRecordReader::check_sizes(const Atom& atom, std::int64_t number) const {
  const auto refuse = [&](std::string_view what, double value, std::string_view unit, double largest) {
    fail(path_, ':', number, ": ", what, " is ", value, ' ', unit, ", but an atom has at most ", largest, ' ',
         unit, "; check the units and the columns of this line");
  };
  const Vec3<double>& p = atom.position_A;
  for (const auto& [what, value] : {std::pair{"x", p.x}, {"y", p.y}, {"z", p.z}})
    if (!(std::abs(value) < largest_coordinate_A)) refuse(what, value, "A", largest_coordinate_A);
  if (!(std::abs(atom.charge_e) <= largest_charge_e)) refuse("charge", atom.charge_e, "e", largest_charge_e);
  if (atom.radius_A < 0.0)
    fail(path_, ':', number, ": radius is ", atom.radius_A,
         " A, but it cannot be negative (a PQR record ends in charge and radius, in this order); correct "
         "this line");
  refuse("radius", atom.radius_A, "A", largest_radius_A);
}

void PqrRecordReader::complain(std::string_view line, std::int64_t number) const {
  constexpr std::array<std::string_view, 5> names{"x", "y", "z", "charge", "radius"};
  constexpr std::string_view format = " (a PQR record ends in x, y, z, charge and radius)";
  const std::string remake = "; make the file again, for example with " + pdb2pqr_example();

  std::vector<std::string_view> fields;
  std::string_view rest = line;
  const bool has_columns = (at(line, 34) == '.') + (at(line, 42) == '.') + (at(line, 50) == '.') >= 2;
  if (has_columns) {
    for (std::size_t axis = 0; axis < 3; ++axis)
      fields.push_back(trim(columns(line, x_column + coordinate_width * axis, coordinate_width)));
    rest = columns(line, charge_column, line.size());
  } else {
    rest.remove_prefix(record_length(line));
  }
  for (std::string_view token; !(token = take_token(rest)).empty();) fields.push_back(token);
  if (!has_columns) {
    constexpr std::size_t fewest = 9;  // serial, name, residue, number, x, y, z, charge, radius
    if (fields.size() < fewest)
      fail(path_, ':', number, ": the line ", quote(line), " ends before it has all of its fields", format,
           remake);
    if (fields.size() > fewest + 1 && is_element(fields.back())) fields.pop_back();
    fields.erase(fields.begin(), fields.end() - 5);
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i >= fields.size() || fields[i].empty())
      fail(path_, ':', number, ": the line has no ", names[i], i == 3 ? " and no radius" : "", format,
           remake);
    if (!parse_number(fields[i]))
      fail(path_, ':', number, ": ", names[i], ' ', quote(fields[i]), " is not a finite number", format,
           remake);
  }
  if (has_point(fields[0]) != has_point(fields[1]) || has_point(fields[0]) != has_point(fields[2]))
    fail(path_, ':', number, ": x ", quote(fields[0]), ", y ", quote(fields[1]), " and z ", quote(fields[2]),
         " do not all have a decimal point: is a field missing?", format,
         "; if not, write all three with a decimal point");
  fail(path_, ':', number, ": the line ", quote(line),
       " does not begin with serial number, name, residue and residue number", format, remake);
}

}  // namespace ionwell
