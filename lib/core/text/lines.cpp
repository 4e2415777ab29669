// SPDX-License-Identifier: BSD-3-Clause
#include "core/text/lines.hpp"

#include <cstring>

namespace ionwell {

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::string_view take_token(std::string_view& text) {
  std::size_t begin = 0;
  while (begin < text.size() && is_blank(text[begin])) ++begin;
  std::size_t end = begin;
  while (end < text.size() && !is_blank(text[end])) ++end;
  const std::string_view token = text.substr(begin, end - begin);
  text.remove_prefix(end);
  return token;
}

std::string quote(std::string_view text) {
  constexpr std::size_t longest = 40;
  constexpr char hex[] = "0123456789abcdef";
  std::string quoted = "'";
  for (const char c : text.substr(0, longest)) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7f) {
      quoted += c;
    } else {
      quoted.append("\\x").append(1, hex[byte >> 4]).append(1, hex[byte & 15]);
    }
  }
  return quoted += text.size() > longest ? "...'" : "'";
}

LineScanner::LineScanner(std::string_view text) : rest_(text) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (rest_.starts_with(byte_order_mark)) rest_.remove_prefix(byte_order_mark.size());
  line_end_ = rest_.find('\n') == std::string_view::npos ? '\r' : '\n';
}

bool LineScanner::next(std::string_view& line) {
  if (rest_.empty()) return false;
  ++number_;
  const void* end = std::memchr(rest_.data(), line_end_, rest_.size());
  line_is_ended_ = end != nullptr;
  const std::size_t length =
      line_is_ended_ ? std::size_t(static_cast<const char*>(end) - rest_.data()) : rest_.size();
  line = rest_.substr(0, length);
  rest_.remove_prefix(line_is_ended_ ? length + 1 : length);
  while (line.ends_with('\r')) line.remove_suffix(1);
  return true;
}

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result)
    if (c >= 'A' && c <= 'Z') c = char(c - 'A' + 'a');
  return result;
}

}  // namespace ionwell
