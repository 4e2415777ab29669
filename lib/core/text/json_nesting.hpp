// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

namespace ionwell {

/// What files in JSON may have of objects and arrays within each other: ours have fewer than 10.
constexpr int deepest_json = 100;

/// Whether a text in JSON has more of them. What is no JSON is left to who reads it.
constexpr bool is_nested_too_deep(std::string_view json) {
  int depth = 0;
  bool in_text = false;
  for (std::size_t n = 0; n < json.size(); ++n) {
    const char c = json[n];
    if (c == '"') in_text = !in_text;
    if (in_text && c == '\\') ++n;
    if (in_text) continue;
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
    if (depth > deepest_json) return true;
  }
  return false;
}

}  // namespace ionwell
