// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>

#include "core/text/lines.hpp"

/// Numbers from text, the one place that knows how they are spelled: a whole token with a dot whatever the
/// locale, after a sign of either kind or none, correctly rounded. Nothing here throws or keeps a state.
namespace ionwell {

/// What a token begins with, as in -12.345.
struct ShortDecimal {
  std::int64_t digits = 0, decimals = 0;  // -12.345 has 12345 and 3
  bool negative = false;
  const char* end = nullptr;  // behind the last digit or the dot; nullptr when there is none or are too many
};

/// A whole number below 2^53 times or over an exact power of ten is correctly rounded, in half the time that
/// std::from_chars takes: hence 15 digits, and powers up to 10^22.
inline ShortDecimal scan_digits(const char* at, const char* end) {
  constexpr std::int64_t too_many = 16;
  const char sign = at != end ? *at : '0';
  if (sign == '-' || sign == '+') ++at;
  std::int64_t digits = 0, count = 0, decimals = 0;
  for (; at != end && is_digit(*at) && count < too_many; ++count) digits = 10 * digits + (*at++ - '0');
  if (at != end && *at == '.') {
    ++at;
    for (; at != end && is_digit(*at) && count < too_many; ++count, ++decimals)
      digits = 10 * digits + (*at++ - '0');
  }
  return {digits, decimals, sign == '-', count == 0 || count == too_many ? nullptr : at};
}

constexpr double power_of_ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                   1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

/// Reads a decimal of at most 15 digits and no exponent; returns where it ends, or nullptr when there is none
/// or it is longer.
inline const char* scan_short_decimal(const char* at, const char* end, double& value) {
  const ShortDecimal decimal = scan_digits(at, end);
  if (decimal.end == nullptr) return nullptr;
  value = double(decimal.digits) / power_of_ten[decimal.decimals];
  if (decimal.negative) value = -value;
  return decimal.end;
}

/// Numbers as most files have them, 1.234567e-02: at most 15 digits and a small exponent, or none. False for
/// all others. With std::from_chars in its place a value of a text map takes half as long again (33 and 22
/// ns).
inline bool parse_short_number(std::string_view token, double& number) {
  const char* const end = token.data() + token.size();
  const ShortDecimal decimal = scan_digits(token.data(), end);
  const char* at = decimal.end;
  if (at == nullptr) return false;
  std::int64_t exponent = 0;
  if (at != end && (*at == 'e' || *at == 'E')) {
    ++at;
    const bool below = at != end && *at == '-';
    if (at != end && (*at == '-' || *at == '+')) ++at;
    const char* const first = at;
    constexpr std::ptrdiff_t too_long = 4;
    for (; at != end && is_digit(*at) && at - first < too_long; ++at) exponent = 10 * exponent + (*at - '0');
    if (at == first) return false;
    if (below) exponent = -exponent;
  }
  exponent -= decimal.decimals;
  constexpr std::int64_t largest = std::ssize(power_of_ten) - 1;
  if (at != end || exponent < -largest || exponent > largest) return false;
  const double digits = double(decimal.digits);
  number = exponent < 0 ? digits / power_of_ten[-exponent] : digits * power_of_ten[exponent];
  if (decimal.negative) number = -number;
  return true;
}

/// What a coordinate, a charge or an option may be: nothing for inf and NaN, for what a double cannot hold or
/// would take for 0, and for the exponents of Fortran's double precision, which may be names.
std::optional<double> parse_number(std::string_view token);

/// What a value of a map may be: also 1.0D+00 as Fortran writes it, nan and inf. What is too small for a
/// double is 0 without a sign, what is too large +inf.
std::optional<double> parse_any_number(std::string_view token);

/// Whole numbers; nothing for what an Integer cannot hold. For int and std::int64_t.
template <typename Integer = int>
std::optional<Integer> parse_integer(std::string_view token);

}  // namespace ionwell
