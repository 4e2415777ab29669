// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string_view>

namespace ionwell {

/// Bytes of the UTF-8 byte-order mark that some editors put before a text: 3, or 0 where there is none.
/// Binary data, which have zero bytes near their start, may begin with the same bytes and have no mark.
inline std::size_t byte_order_mark_size(std::string_view text) {
  constexpr std::string_view mark = "\xEF\xBB\xBF";
  constexpr std::size_t enough = std::size_t{1} << 16;
  return text.starts_with(mark) && text.substr(0, enough).find('\0') == text.npos ? mark.size() : 0;
}

}  // namespace ionwell
