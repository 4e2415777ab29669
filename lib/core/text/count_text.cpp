// SPDX-License-Identifier: BSD-3-Clause
#include "core/text/count_text.hpp"

namespace ionwell {

std::string grouped(std::int64_t number) {
  std::string digits = std::to_string(number);
  const std::int64_t first = number < 0 ? 1 : 0;
  for (std::int64_t i = std::int64_t(digits.size()) - 3; i > first; i -= 3)
    digits.insert(std::size_t(i), ",");
  return digits;
}

std::string count_of(std::int64_t number, std::string_view one) {
  std::string text = grouped(number) + ' ';
  return text.append(one).append(number == 1 ? "" : "s");
}

}  // namespace ionwell
