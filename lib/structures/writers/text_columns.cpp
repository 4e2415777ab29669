// SPDX-License-Identifier: BSD-3-Clause
#include "structures/writers/text_columns.hpp"

#include <array>
#include <optional>
#include <system_error>

namespace ionwell {
namespace {

/// The shortest decimal without an exponent that reads back as the same number, in the memory of `digits`.
template <typename Real>
std::string_view shortest(Real number, std::array<char, 400>& digits) {
  const std::to_chars_result end =
      std::to_chars(digits.data(), digits.data() + digits.size(), number, std::chars_format::fixed);
  return {digits.data(), std::size_t(end.ptr - digits.data())};
}

bool is_longer_than_in_files(std::string_view decimal) {
  constexpr std::size_t most_digits = 15;  // of which each decimal is a double of its own
  return decimal.size() > most_digits && decimal.find('.') != decimal.npos;
}

/// The number without what arithmetic left behind its ninth decimal; nothing where that is more.
std::optional<double> without_rest(double number) {
  constexpr double scale = 1e9, rest = 1e-13, relative_rest = 1e-15;
  const double rounded = std::round(number * scale) / scale;
  return std::abs(number - rounded) <= rest + relative_rest * std::abs(number) ? std::optional(rounded)
                                                                               : std::nullopt;
}

/// The decimal that a number of single precision is the nearest to, if it is one, or ten times one.
std::optional<double> of_single_precision(double number) {
  std::array<char, 400> digits;
  for (const double unit : {1.0, 10.0}) {
    const auto single = float(number / unit);
    if (unit * double(single) != number) continue;
    double decimal = 0.0;
    const std::string_view text = shortest(single, digits);
    std::from_chars(text.data(), text.data() + text.size(), decimal);
    return without_rest(unit * decimal).value_or(unit * decimal);
  }
  return std::nullopt;
}

}  // namespace

void append_exact(std::string& text, double number, std::size_t least_decimals) {
  std::array<char, 400> digits;
  std::string_view field = shortest(number, digits);
  if (is_longer_than_in_files(field)) {
    std::optional<double> meant = without_rest(number);
    if (!meant) meant = of_single_precision(number);
    if (meant) field = shortest(*meant, digits);
  }
  text += field;
  const std::size_t point = field.find('.');
  const std::size_t decimals = point == field.npos ? 0 : field.size() - point - 1;
  if (decimals >= least_decimals) return;
  if (point == field.npos) text += '.';
  text.append(least_decimals - decimals, '0');
}

}  // namespace ionwell
