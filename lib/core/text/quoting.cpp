// SPDX-License-Identifier: BSD-3-Clause
#include "core/text/quoting.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>

#include "core/text/lines.hpp"

namespace ionwell {
namespace {

bool is_control(char c) {
  return std::uint8_t(c) < 0x20 || c == '\x7f';
}

bool is_printable_ascii(char c) {
  return c >= ' ' && c <= '~';
}

/// Bytes of the character that `text` begins with; 0 where that is not UTF-8.
std::size_t character_bytes(std::string_view text) {
  const auto byte = [&](std::size_t n) { return n < text.size() ? std::uint8_t(text[n]) : std::uint8_t(0); };
  const std::uint8_t first = byte(0), second = byte(1);
  if (first < 0x80) return 1;
  const std::size_t count = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4) return 0;
  for (std::size_t n = 1; n < count; ++n)
    if ((byte(n) & 0xc0) != 0x80) return 0;
  const bool is_overlong = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
  const bool is_beyond = (first == 0xed && second > 0x9f) || (first == 0xf4 && second > 0x8f);
  return is_overlong || is_beyond ? 0 : count;
}

/// U+0080 to U+009F, which terminals obey, and the separators U+2028 and U+2029.
bool is_control_character(std::string_view character) {
  return (character.size() == 2 && character[0] == '\xc2' && std::uint8_t(character[1]) < 0xa0) ||
         character == "\u2028" || character == "\u2029";
}

/// Each byte by what `special` makes of it, in double quotes.
template <typename Special>
std::string in_quotes(std::string_view text, const Special& special) {
  std::string safe = "\"";
  for (const char c : text) safe += special(c);
  return safe + '"';
}

std::string byte_text(const char* format, char c) {
  char text[8];
  std::snprintf(text, sizeof text, format, unsigned(std::uint8_t(c)));
  return text;
}

}  // namespace

std::string one_line(std::string_view text) {
  std::string line;
  line.reserve(text.size());
  while (!text.empty()) {
    const std::size_t bytes = character_bytes(text);
    const std::string_view character = text.substr(0, std::max<std::size_t>(bytes, 1));
    const bool is_safe =
        bytes == 1 ? !is_control(text.front()) : bytes > 1 && !is_control_character(character);
    line.append(is_safe ? character : "?");
    text.remove_prefix(character.size());
  }
  return line;
}

std::string ascii_line(std::string_view text) {
  std::string line(text);
  for (char& c : line)
    if (!is_printable_ascii(c)) c = '?';
  return line;
}

bool is_plain_word(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(),
                                      [](char c) { return is_letter(c) || is_digit(c) || c == '_'; });
}

std::string path_part(std::string_view text) {
  std::string part(text);
  for (char& c : part)
    if (!is_letter(c) && !is_digit(c) && c != '+' && c != '-') c = '_';
  return part.empty() ? "_" : part;
}

std::string shell_word(std::string_view text) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=.,:/@%";
  if (!text.empty() && text.find_first_not_of(plain) == text.npos) return std::string(text);
  const bool has_control = std::any_of(text.begin(), text.end(), is_control);
  std::string word = has_control ? "$'" : "'";
  for (const char c : text)
    if (has_control && is_control(c))
      word += byte_text("\\%03o", c);
    else if (has_control && (c == '\\' || c == '\''))
      word.append("\\") += c;
    else
      word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + '\'';
}

std::string tcl_quoted(std::string_view text) {
  return in_quotes(text, [](char c) {
    if (std::string_view("\"\\$[]{};").find(c) != std::string_view::npos) return std::string("\\") + c;
    return is_control(c) ? byte_text("\\%03o", c) : std::string(1, c);
  });
}

std::string tcl_word(std::string_view text) {
  const std::string_view unsigned_text = text.starts_with('-') ? text.substr(1) : text;
  return is_plain_word(unsigned_text) ? std::string(text) : tcl_quoted(text);
}

std::string python_bytes(std::string_view text) {
  return 'b' + in_quotes(text, [](char c) {
           if (c == '"' || c == '\\') return std::string("\\") + c;
           return is_printable_ascii(c) ? std::string(1, c) : byte_text("\\x%02x", c);
         });
}

std::string chimerax_quoted(std::string_view text) {
  return in_quotes(text, [](char c) {
    if (c == '"' || c == '\\') return std::string("\\") + c;
    return is_control(c) ? byte_text("\\x%02x", c) : std::string(1, c);
  });
}

std::string csv_quoted(std::string_view text) {
  return in_quotes(text, [](char c) { return std::string(c == '"' ? 2 : 1, c); });
}

std::string csv_cell(std::string_view text) {
  return text.find_first_of(",\"\n\r") == text.npos ? std::string(text) : csv_quoted(text);
}

}  // namespace ionwell
