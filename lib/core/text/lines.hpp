// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

/// What every reader of text needs: lines, columns and tokens, as parts of the text that was given, and text
/// fit for a message.
namespace ionwell {

constexpr bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\r';
}
constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
constexpr bool is_letter(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/// Without the blanks at both ends.
std::string_view trim(std::string_view text);

/// `count` characters from column `first` (counted from 0), fewer or none where the line ends before.
constexpr std::string_view columns(std::string_view line, std::size_t first, std::size_t count) {
  return first < line.size() ? line.substr(first, count) : std::string_view{};
}

/// Takes the next run of non-blanks off the front of `text`; empty when there is none.
std::string_view take_token(std::string_view& text);

/// 'text' for a message: at most 40 characters of it, whatever is not printable ASCII as `\xNN`.
std::string quote(std::string_view text);

/// Goes through text line by line, whether lines end in LF, CR LF or CR; skips a leading UTF-8 byte-order
/// mark. Copies nothing: the lines are parts of the text, which must outlive them.
class LineScanner {
 public:
  explicit LineScanner(std::string_view text);

  /// Goes on in text that follows the one before, which ended with a line's end.
  void go_on(std::string_view text) { rest_ = text; }

  /// Moves to the next line, without its end; false when there is none.
  bool next(std::string_view& line);

  std::int64_t number() const { return number_; }        // of the line that next() gave, from 1
  bool line_is_ended() const { return line_is_ended_; }  // false only for a last line with no line end

 private:
  std::string_view rest_;
  char line_end_;
  std::int64_t number_ = 0;
  bool line_is_ended_ = true;
};

/// A to Z as a to z, whatever the locale.
std::string lower_case(std::string_view text);

}  // namespace ionwell
