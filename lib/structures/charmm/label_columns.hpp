// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "core/text/numbers.hpp"

/// Names in the columns of CHARMM's text files, at the left of their fields with a blank before each.
namespace ionwell {

/// Columns of a line, counted from 0.
struct Columns {
  std::size_t first, count;
};

/// The name in `field`, whose first column must be blank; it may be missing. False where the field holds
/// anything else, so that the line must have other columns.
inline bool read_label(std::string_view line, Columns field, std::string_view& label) {
  const std::string_view text = columns(line, field.first, field.count);
  if (text.size() < 2 || text[0] != ' ') return false;
  std::size_t end = 1;
  while (end < text.size() && !is_blank(text[end])) ++end;
  label = text.substr(1, end - 1);
  return std::all_of(text.begin() + std::ptrdiff_t(end), text.end(), [](char c) { return c == ' '; });
}

/// A whole number, or the stars of one that is too long for its columns: it is only counted.
inline bool is_atom_number(std::string_view token) {
  return parse_integer<std::int64_t>(token) || (!token.empty() && token.find_first_not_of('*') == token.npos);
}

}  // namespace ionwell
