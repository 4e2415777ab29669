// SPDX-License-Identifier: BSD-3-Clause
#include "files/xml_tags.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "core/text/lines.hpp"

namespace ionwell {
namespace {

bool is_xml_blank(char c) {
  return c == '\n' || is_blank(c);
}

/// With the five entities that XML defines as what they are for; others stay.
std::string decoded(std::string_view value) {
  constexpr std::pair<std::string_view, char> entities[] = {
      {"&lt;", '<'}, {"&gt;", '>'}, {"&amp;", '&'}, {"&quot;", '"'}, {"&apos;", '\''}};
  std::string text;
  while (!value.empty()) {
    const auto* const entity = std::find_if(std::begin(entities), std::end(entities),
                                            [&](const auto& e) { return value.starts_with(e.first); });
    const bool is_entity = entity != std::end(entities);
    text += is_entity ? entity->second : value.front();
    value.remove_prefix(is_entity ? entity->first.size() : 1);
  }
  return text;
}

}  // namespace

std::optional<std::string_view> XmlTag::find(std::string_view attribute) const {
  for (const auto& [key, value] : attributes)
    if (key == attribute) return value;
  return std::nullopt;
}

void XmlTags::refuse(const char* what) const {
  fail(path_, ':', line_, ": is not valid XML (", what, ")");
}

void XmlTags::move_to(std::size_t at) {
  line_ += std::count(text_.begin() + std::ptrdiff_t(at_), text_.begin() + std::ptrdiff_t(at), '\n');
  at_ = at;
}

/// What is between these; false where the text does not go on with `begin`.
bool XmlTags::skip(std::string_view begin, std::string_view end) {
  if (!text_.substr(at_).starts_with(begin)) return false;
  const std::size_t found = text_.find(end, at_ + begin.size());
  if (found == text_.npos) refuse("a comment or section has no end");
  move_to(found + end.size());
  return true;
}

void XmlTags::skip_blanks() {
  std::size_t at = at_;
  while (at < text_.size() && is_xml_blank(text_[at])) ++at;
  move_to(at);
}

std::string_view XmlTags::take_name() {
  constexpr std::string_view ends = "=/><\"'&";
  const std::size_t begin = at_;
  while (at_ < text_.size() && !is_xml_blank(text_[at_]) && ends.find(text_[at_]) == ends.npos) ++at_;
  if (at_ == begin) refuse("a name is missing");
  return text_.substr(begin, at_ - begin);
}

std::string XmlTags::take_value() {
  skip_blanks();
  if (at_ == text_.size() || text_[at_] != '=') refuse("an attribute has no value");
  ++at_;
  skip_blanks();
  const char mark = at_ < text_.size() ? text_[at_] : ' ';
  if (mark != '"' && mark != '\'') refuse("a value is not quoted");
  const std::size_t begin = at_ + 1, end = text_.find(mark, begin);
  if (end == text_.npos) refuse("a value has no end");
  move_to(end + 1);
  return decoded(text_.substr(begin, end - begin));
}

bool XmlTags::next(XmlTag& tag) {
  for (;;) {
    const std::size_t begin = text_.find('<', at_);
    if (begin == text_.npos) return false;
    move_to(begin);
    if (!skip("<!--", "-->") && !skip("<![CDATA[", "]]>") && !skip("<?", "?>") && !skip("<!", ">")) break;
  }
  tag = {.line = line_};
  ++at_;
  const bool is_end = at_ < text_.size() && text_[at_] == '/';
  if (is_end) ++at_;
  tag.name = take_name();
  for (;;) {
    skip_blanks();
    if (at_ == text_.size()) refuse("a tag has no end");
    if (text_[at_] == '>') break;
    if (text_[at_] == '/') {
      tag.closes = true;
      ++at_;
      continue;
    }
    const std::string_view key = take_name();
    tag.attributes.emplace_back(key, take_value());
  }
  ++at_;
  tag.opens = !is_end;
  tag.closes = tag.closes || is_end;
  return true;
}

}  // namespace ionwell
