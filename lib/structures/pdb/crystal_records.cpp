// SPDX-License-Identifier: BSD-3-Clause
#include "structures/pdb/crystal_records.hpp"

#include <string>

#include "core/text/lines.hpp"
#include "core/text/numbers.hpp"

namespace ionwell {
namespace {

/// Columns 56-66 of CRYST1, or what follows six numbers between blanks, up to the number of molecules.
std::string_view group_of_cryst1(std::string_view line) {
  constexpr std::size_t group_column = 55, group_width = 11, last_angle_column = 47, angle_width = 7;
  if (parse_number(trim(columns(line, last_angle_column, angle_width))))
    return trim(columns(line, group_column, group_width));
  std::string_view rest = line;
  for (int n = 0; n < 7; ++n) take_token(rest);
  std::string_view after = rest;
  const std::string_view lattice = take_token(after), first = take_token(after);
  take_token(after);
  return lattice == "P" && first == "1" && trim(after).empty() ? "P 1" : trim(rest);
}

}  // namespace

bool is_crystal_group(std::string_view symbol) {
  std::string letters;
  for (const char c : symbol)
    if (!is_blank(c) && c != '"' && c != '\'') letters += c;
  return !letters.empty() && letters != "?" && letters != "." && letters != "P1" && letters != "p1";
}

bool is_crystal_record(std::string_view line) {
  if (line.starts_with("EXPDTA") || line.starts_with("SCALE") || line.starts_with("REMARK 290")) return true;
  return line.starts_with("CRYST1") && is_crystal_group(group_of_cryst1(line));
}

}  // namespace ionwell
