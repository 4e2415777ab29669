// SPDX-License-Identifier: BSD-3-Clause
#include "core/text/first_names.hpp"

#include <cstdint>

#include "core/text/count_text.hpp"

namespace ionwell {

std::string first_names(const std::vector<std::string>& names) {
  constexpr std::size_t most = 12;
  std::string text;
  for (std::size_t n = 0; n < names.size() && n < most; ++n) text += (n == 0 ? "" : ", ") + names[n];
  if (names.size() > most) text += " and " + grouped(std::int64_t(names.size() - most)) + " more";
  return text;
}

}  // namespace ionwell
