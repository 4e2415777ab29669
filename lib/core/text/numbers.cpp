// SPDX-License-Identifier: BSD-3-Clause
#include "core/text/numbers.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>

namespace ionwell {
namespace {

/// std::from_chars takes a minus sign, but no plus sign.
std::string_view without_plus(std::string_view token) {
  if (token.size() > 1 && token[0] == '+' && token[1] != '-') token.remove_prefix(1);
  return token;
}

/// The whole of `token`, or an error.
template <typename Number>
std::errc convert(std::string_view token, Number& number) {
  token = without_plus(token);
  const char* const end = token.data() + token.size();
  const auto [stop, error] = std::from_chars(token.data(), end, number);
  return stop == end ? error : std::errc::invalid_argument;
}

/// Rare, so the copy does not matter.
std::optional<double> parse_unusual(std::string_view token) {
  std::string text(token);
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == 'D' || c == 'd'; }, 'e');
  double number = 0.0;
  const std::errc error = convert(text, number);
  if (error == std::errc{}) return number;
  if (error != std::errc::result_out_of_range) return std::nullopt;
  const std::size_t exponent = text.find_first_of("eE");
  const bool small = exponent != text.npos && text.find('-', exponent) != text.npos;
  return small ? 0.0 : std::numeric_limits<double>::infinity();
}

}  // namespace

std::optional<double> parse_number(std::string_view token) {
  double number = 0.0;
  if (parse_short_number(token, number)) return number;
  if (convert(token, number) != std::errc{} || !std::isfinite(number)) return std::nullopt;
  return number;
}

std::optional<double> parse_any_number(std::string_view token) {
  double number = 0.0;
  if (parse_short_number(token, number) || convert(token, number) == std::errc{}) return number;
  return parse_unusual(token);
}

template <typename Integer>
std::optional<Integer> parse_integer(std::string_view token) {
  Integer number = 0;
  if (convert(token, number) != std::errc{}) return std::nullopt;
  return number;
}

template std::optional<int> parse_integer(std::string_view);
template std::optional<std::int64_t> parse_integer(std::string_view);

}  // namespace ionwell
