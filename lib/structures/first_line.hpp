// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

#include "core/text/lines.hpp"

namespace ionwell {

/// The first line that is not blank and no comment, without blanks at its ends; empty where there is none.
inline std::string_view first_line_of(std::string_view text) {
  LineScanner lines(text);
  for (std::string_view line; lines.next(line);)
    if (line = trim(line); !line.empty() && !line.starts_with('#')) return line;
  return {};
}

}  // namespace ionwell
