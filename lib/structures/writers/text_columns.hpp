// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

/// Fields of fixed width, appended to a text.
namespace ionwell {

/// Width and decimals of a number: %8.3f is {8, 3}.
struct FixedFormat {
  std::size_t width = 0;
  int decimals = 0;
};

/// Blanks before the text. False when it is longer than the field; it is still appended.
inline bool append_right(std::string& text, std::string_view field, std::size_t width) {
  if (field.size() < width) text.append(width - field.size(), ' ');
  text += field;
  return field.size() <= width;
}

/// Blanks after it.
inline bool append_left(std::string& text, std::string_view field, std::size_t width) {
  text += field;
  if (field.size() < width) text.append(width - field.size(), ' ');
  return field.size() <= width;
}

/// A name where blanks divide the fields: "_" stands for a blank in it, and for a name that is empty.
inline void append_word(std::string& text, std::string_view name, std::size_t width) {
  if (name.empty()) name = "_";
  const auto begin = std::ptrdiff_t(text.size()), end = begin + std::ptrdiff_t(name.size());
  append_left(text, name, width);
  std::replace(text.begin() + begin, text.begin() + end, ' ', '_');
}

inline bool append_number(std::string& text, std::int64_t number, std::size_t width) {
  char digits[24];
  const std::to_chars_result end = std::to_chars(digits, digits + sizeof digits, number);
  return append_right(text, {digits, std::size_t(end.ptr - digits)}, width);
}

/// What append_fixed does, by whole numbers, for numbers of up to nine digits that are not so near to a half
/// that the product decides how they round; false, with nothing appended, for all others. Five times as fast.
inline bool append_short_fixed(std::string& text, double number, const FixedFormat& format) {
  constexpr double powers[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7};
  constexpr double largest = 1e9, unsure = 1e-6;  // the product is off by less than 1e-7
  if (format.decimals < 1 || format.decimals > 7) return false;
  const double scaled = std::abs(number) * powers[format.decimals];
  if (!(scaled < largest)) return false;
  const auto whole = std::uint64_t(scaled);
  const double rest = scaled - double(whole);
  if (std::abs(rest - 0.5) < unsure) return false;
  std::uint64_t left = whole + (rest > 0.5);
  const bool is_negative = number < 0.0 && left > 0;
  char digits[32];
  char* at = digits + sizeof digits;
  char* const end = at;
  for (int decimal = 0; decimal < format.decimals; ++decimal, left /= 10) *--at = char('0' + left % 10);
  *--at = '.';
  do *--at = char('0' + left % 10);
  while ((left /= 10) > 0);
  if (is_negative) *--at = '-';
  while (std::size_t(end - at) < format.width && at > digits) *--at = ' ';
  text.append(at, std::size_t(end - at));
  return true;
}

/// Rounded as printf rounds; -0.000 is 0.000. False also for a number of more than 300 characters, of which
/// nothing is appended.
inline bool append_fixed(std::string& text, double number, const FixedFormat& format) {
  const std::size_t before = text.size();
  if (append_short_fixed(text, number, format)) return text.size() - before <= format.width;
  char digits[320];
  const std::to_chars_result end =
      std::to_chars(digits, digits + sizeof digits, number, std::chars_format::fixed, format.decimals);
  if (end.ec != std::errc{}) return false;
  std::string_view field(digits, std::size_t(end.ptr - digits));
  if (field.front() == '-' && field.find_first_not_of("-0.") == field.npos) field.remove_prefix(1);
  return append_right(text, field, format.width);
}

/// The number as its file meant it, with `least_decimals` decimals or more: the shortest decimal that reads
/// back as the same double. Where that takes more digits than a decimal in a file has, arithmetic made the
/// number, and what it left behind the ninth decimal goes (19.653499999999998, 1.96535 nm, is 19.6535), or a
/// file has it in single precision, maybe in nm, whose shortest decimal is taken.
void append_exact(std::string& text, double number, std::size_t least_decimals);

}  // namespace ionwell
