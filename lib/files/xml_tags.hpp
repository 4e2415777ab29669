// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ionwell {

/// A tag of an XML file, that begins an element, ends one, or is a whole one.
struct XmlTag {
  std::string_view name;
  std::vector<std::pair<std::string_view, std::string>> attributes;
  bool opens = false, closes = false;  // <name/> does both
  std::int64_t line = 0;

  /// Nothing where it has no such attribute.
  std::optional<std::string_view> find(std::string_view attribute) const;
};

/// Goes through the tags of an XML file; text between them, comments, CDATA, declarations and processing
/// instructions are skipped. Names are parts of the text, which must outlive them.
class XmlTags {
 public:
  /// `path`: for messages.
  XmlTags(std::string_view text, std::string path) : text_(text), path_(std::move(path)) {}

  /// Moves to the next tag; false at the end. Throws Error, with path and line, for a tag that is no XML.
  bool next(XmlTag& tag);

 private:
  [[noreturn]] void refuse(const char* what) const;
  bool skip(std::string_view begin, std::string_view end);
  void move_to(std::size_t at);
  void skip_blanks();
  std::string_view take_name();
  std::string take_value();

  std::string_view text_;
  std::string path_;
  std::size_t at_ = 0;
  std::int64_t line_ = 1;
};

}  // namespace ionwell
