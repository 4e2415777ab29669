// SPDX-License-Identifier: BSD-3-Clause
#include "cli/option_setting.hpp"

#include <charconv>
#include <initializer_list>

namespace ionwell {
namespace {

/// As few digits as name the numbers, with commas between them.
std::string listed(std::initializer_list<double> numbers) {
  std::string text;
  for (const double number : numbers) {
    char digits[32];
    const std::to_chars_result end = std::to_chars(digits, digits + sizeof digits, number);
    text.append(text.empty() ? "" : ",").append(digits, end.ptr);
  }
  return text;
}

}  // namespace

OptionValue option_value(const Box& member) {
  const auto& [low, high] = member;
  return listed({low.x, low.y, low.z, high.x, high.y, high.z});
}

OptionValue option_value(const CellParameters& member) {
  const auto& [lengths, angles] = member;
  return listed({lengths.x, lengths.y, lengths.z, angles.x, angles.y, angles.z});
}

}  // namespace ionwell
