#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// What every reader of text needs: lines, columns, whole-token numbers, and text fit for a message.
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

std::string_view trim(std::string_view text);

/// `count` characters from column `first` (counted from 0), fewer or none where the line ends before.
constexpr std::string_view columns(std::string_view line, std::size_t first, std::size_t count) {
  return first < line.size() ? line.substr(first, count) : std::string_view{};
}

/// Takes the next run of non-blanks off the front of `text`; empty when there is none.
std::string_view take_token(std::string_view& text);

/// Reads a decimal like -12.345 at `at`, of at most 15 digits and no exponent; returns where it ends, or
/// nullptr when there is none or it is longer. A whole number below 2^53 divided by an exact power of ten is
/// correctly rounded, so this is what std::from_chars gives, at a fraction of its time.
inline const char* scan_short_decimal(const char* at, const char* end, double& value) {
  constexpr double power_of_ten[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                     1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
  const bool negative = at != end && *at == '-';
  if (at != end && (*at == '-' || *at == '+')) ++at;
  constexpr std::int64_t too_many = 16;
  std::int64_t digits = 0, count = 0, decimals = 0;
  for (; at != end && is_digit(*at) && count < too_many; ++count) digits = 10 * digits + (*at++ - '0');
  if (at != end && *at == '.') {
    ++at;
    for (; at != end && is_digit(*at) && count < too_many; ++count, ++decimals)
      digits = 10 * digits + (*at++ - '0');
  }
  if (count == 0 || count == too_many) return nullptr;
  value = double(digits) / power_of_ten[decimals];
  if (negative) value = -value;
  return at;
}

/// The number that the whole token spells, correctly rounded; nothing for anything else, for inf and NaN, and
/// for numbers that a double cannot hold.
std::optional<double> parse_number(std::string_view token);

/// The same for integers, with an optional sign.
std::optional<int> parse_integer(std::string_view token);

/// 'text' for a message: at most 40 characters of it, whatever is not printable ASCII as `\xNN`.
std::string quote(std::string_view text);

/// Goes through text line by line, whether lines end in LF, CR LF or CR; skips a leading UTF-8 byte-order
/// mark.
class LineScanner {
 public:
  explicit LineScanner(std::string_view text);

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
