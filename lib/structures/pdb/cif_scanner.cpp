// SPDX-License-Identifier: BSD-3-Clause
#include "structures/pdb/cif_scanner.hpp"

#include <algorithm>

#include "core/text/lines.hpp"

namespace ionwell {
namespace {

constexpr bool is_line_end(char c) {
  return c == '\n' || c == '\r';
}
constexpr bool is_space(char c) {
  constexpr std::uint64_t spaces = 1ull << ' ' | 1ull << '\n' | 1ull << '\t' | 1ull << '\r';
  return static_cast<unsigned char>(c) <= ' ' && (spaces >> c & 1) != 0;
}
/// Whether a token that begins so is a value without quotes: no name, keyword, comment or text field.
constexpr bool is_plain_start(char c) {
  return is_digit(c) || c == '-' || c == '.' || c == '?' ||
         (is_letter(c) && (c & ~0x20) != 'D' && (c & ~0x20) != 'L');
}
constexpr char lower(char c) {
  return c >= 'A' && c <= 'Z' ? char(c | 0x20) : c;
}
bool starts_with_any_case(std::string_view text, std::string_view start) {
  return text.size() >= start.size() && std::equal(start.begin(), start.end(), text.begin(),
                                                   [](char a, char b) { return lower(a) == lower(b); });
}

}  // namespace

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

CifScanner::CifScanner(std::string_view text, const std::string& path) : text_(text), path_(path) {
  if (text_.starts_with(byte_order_mark)) text_.remove_prefix(byte_order_mark.size());
  next();
}

CifScanner::CifScanner(std::function<std::string_view()> next_piece, const std::string& path)
    : next_piece_(std::move(next_piece)), path_(path) {
  read_on();
  if (text_.starts_with(byte_order_mark)) text_ = window_.erase(0, byte_order_mark.size());
  next();
}

/// Lets the next piece follow; false when there is none. What goes makes places in the text smaller.
bool CifScanner::read_on() {
  if (!next_piece_) return false;
  const std::string_view piece = next_piece_();
  if (piece.empty()) {
    next_piece_ = nullptr;
    return false;
  }
  const std::size_t gone = std::max<std::size_t>(kept_from_, 1) - 1;  // one more tells whether a line begins
  window_.erase(0, gone);
  window_.append(piece);
  text_ = window_;
  at_ -= gone;
  kept_from_ -= gone;
  token_at_ -= gone;
  ++pieces_;
  return true;
}

inline void CifScanner::skip_blanks() {
  std::size_t at = at_;  // kept in a register: a quarter of the time of a large file
  for (; at < text_.size(); ++at) {
    const char c = text_[at];
    if (c == ' ') continue;
    if (c == '\n' || (c == '\r' && (at + 1 == text_.size() || text_[at + 1] != '\n'))) {
      ++line_;
    } else if (c == '#') {
      while (at + 1 < text_.size() && !is_line_end(text_[at + 1])) ++at;
    } else if (!is_space(c)) {
      break;
    }
  }
  at_ = at;
}

/// What a token without quotes is. Most begin with nothing that a keyword begins with.
inline void CifScanner::classify() {
  const char first = token_[0];
  kind_ = Kind::value;
  if (token_.size() == 1) {
    is_null_ = first == '.' || first == '?';
  } else if (first == '_') {
    kind_ = Kind::tag;
  } else if (lower(first) == 'd' && starts_with_any_case(token_, "data_")) {
    kind_ = Kind::data;
  } else if (lower(first) == 'l' && token_.size() == 5 && starts_with_any_case(token_, "loop_")) {
    kind_ = Kind::loop;
  }
}

void CifScanner::next() {
  line_ += lines_in_field_;
  lines_in_field_ = 0;
  is_null_ = false;
  do {
    skip_blanks();
    if (!keeps_row_) kept_from_ = at_;
  } while (at_ == text_.size() && read_on());
  token_at_ = at_;
  if (at_ == text_.size()) {
    kind_ = Kind::end;
    token_ = {};
    return;
  }
  const char first = text_[at_];
  if (first == '\'' || first == '"') return read_quoted(first);
  if (first == ';' && (at_ == 0 || is_line_end(text_[at_ - 1]))) return read_text_field();
  const char* const begin = text_.data() + at_;
  const char* const last = text_.data() + text_.size();
  const char* end = begin + 1;
  while (end != last && !is_space(*end)) ++end;
  token_ = {begin, std::size_t(end - begin)};
  at_ += token_.size();
  classify();
}

std::size_t CifScanner::take_row(std::span<std::string_view> row) {
  const std::int64_t line = line_;
  keeps_row_ = true;
  for (;;) {
    kept_from_ = token_at_;
    const std::int64_t pieces = pieces_;
    const std::size_t count = take_values(row);
    if (pieces == pieces_) {
      keeps_row_ = false;
      return count;
    }
    at_ = kept_from_;  // once more, for the values lie elsewhere now
    line_ = line;
    lines_in_field_ = 0;
    next();
  }
}

std::size_t CifScanner::take_values(std::span<std::string_view> row) {
  std::size_t count = 0;
  while (count < row.size()) {
    if (kind_ != Kind::value) return count;
    row[count++] = is_null_ ? std::string_view{} : token_;
    count += take_plain(row.subspan(count));
    ends_text_ = at_ == text_.size();
    next();
  }
  return count;
}

/// Values in the same line that are nothing else by their first character: all but a few of a large file, in
/// two thirds of the time.
std::size_t CifScanner::take_plain(std::span<std::string_view> row) {
  const char* at = text_.data() + at_;
  const char* const last = text_.data() + text_.size();
  std::size_t count = 0;
  for (; count < row.size(); ++count) {
    const char* begin = at;
    while (begin != last && *begin == ' ') ++begin;
    if (begin == last || begin == at || !is_plain_start(*begin)) break;
    const char* end = begin + 1;
    while (end != last && !is_space(*end)) ++end;
    if (end == last) break;
    const bool is_null = end - begin == 1 && (*begin == '.' || *begin == '?');
    row[count] = is_null ? std::string_view{} : std::string_view(begin, std::size_t(end - begin));
    at = end;
  }
  at_ = std::size_t(at - text_.data());
  return count;
}

void CifScanner::read_quoted(char quote) {
  const std::size_t begin = ++at_;
  for (; at_ < text_.size() && !is_line_end(text_[at_]); ++at_)
    if (text_[at_] == quote && (at_ + 1 == text_.size() || is_space(text_[at_ + 1]))) {
      token_ = text_.substr(begin, at_ - begin);
      kind_ = Kind::value;
      ++at_;
      return;
    }
  fail(path_, ':', line_, ": a value in quotes, ", ionwell::quote(text_.substr(begin - 1, at_ - begin + 1)),
       ", does not end in its line; copy the file again, or close it");
}

void CifScanner::read_text_field() {
  ++at_;
  for (; at_ + 1 < text_.size() || read_on() || at_ < text_.size(); ++at_) {
    if (!is_line_end(text_[at_])) continue;
    if (text_[at_] == '\n' || at_ + 1 == text_.size() || text_[at_ + 1] != '\n') ++lines_in_field_;
    if (at_ + 1 < text_.size() && text_[at_ + 1] == ';') {
      token_ = text_.substr(token_at_ + 1, at_ - token_at_ - 1);
      if (token_.ends_with('\r')) token_.remove_suffix(1);
      kind_ = Kind::value;
      at_ += 2;
      return;
    }
  }
  fail(path_, ':', line_,
       ": a text field (it begins with ; at the start of a line) does not end, so the file is truncated; "
       "copy it again");
}

int CifTable::column(std::string_view tag) const {
  const auto found = std::find_if(tags.begin(), tags.end(), [tag](std::string_view other) {
    return other.size() == tag.size() && starts_with_any_case(other, tag);
  });
  return found == tags.end() ? -1 : int(found - tags.begin());
}

bool is_of_category(std::string_view tag, std::string_view category) {
  return !category.empty() && starts_with_any_case(tag, category);
}

namespace {

/// The categories of a file one after the other.
class CifReader {
 public:
  CifReader(CifScanner& scanner, const std::string& path, std::span<const std::string_view> categories,
            std::string_view bulk, const CifLoopReader& read_bulk)
      : scanner_(scanner),
        path_(path),
        categories_(categories),
        bulk_(bulk),
        read_bulk_(read_bulk),
        tables_(categories.size() + 1) {}

  std::vector<CifTable> read() {
    using Kind = CifScanner::Kind;
    while (scanner_.kind() != Kind::end) {
      if (scanner_.kind() == Kind::loop) {
        scanner_.next();
        read_loop();
      } else if (scanner_.kind() == Kind::tag) {
        read_pair();
      } else if (scanner_.kind() == Kind::data) {
        scanner_.next();
      } else {
        fail(path_, ':', scanner_.line(), ": the value ", quote(scanner_.text()),
             " has no name before it; in a CIF file each value follows a name that begins with _");
      }
    }
    return std::move(tables_);
  }

 private:
  CifTable* table_of(std::string_view tag) {
    for (std::size_t i = 0; i < categories_.size(); ++i)
      if (is_of_category(tag, categories_[i])) return &tables_[i];
    return is_of_category(tag, bulk_) ? &tables_.back() : nullptr;
  }

  void read_loop() {
    using Kind = CifScanner::Kind;
    std::vector<std::string> tags;
    const std::int64_t line = scanner_.line();
    for (; scanner_.kind() == Kind::tag; scanner_.next()) tags.emplace_back(scanner_.text());
    if (tags.empty()) fail(path_, ':', line, ": loop_ is not followed by a name; copy the file again");
    if (is_of_category(tags.front(), bulk_)) return read_bulk_(tags, scanner_);
    CifTable* const table = table_of(tags.front());
    std::vector<std::string> values;
    std::size_t count = 0;
    for (; scanner_.kind() == Kind::value; scanner_.next(), ++count)
      if (table != nullptr) values.emplace_back(scanner_.is_null() ? std::string_view{} : scanner_.text());
    if (count % tags.size() != 0)
      fail(path_, ':', line, ": the loop of ", tags.front(), " and ", tags.size() - 1, " more names has ",
           count, " values, which is not a whole number of rows; copy the file again");
    if (table != nullptr && table->tags.empty()) *table = {std::move(tags), std::move(values), line};
  }

  void read_pair() {
    const std::string tag(scanner_.text());
    const std::int64_t line = scanner_.line();
    scanner_.next();
    if (scanner_.kind() != CifScanner::Kind::value)
      fail(path_, ':', line, ": ", quote(tag), " has no value; copy the file again");
    CifTable* const table = table_of(tag);
    if (table != nullptr && table->values.size() == table->tags.size() && table->column(tag) < 0) {
      if (table->tags.empty()) table->line = line;
      table->tags.push_back(tag);
      table->values.emplace_back(scanner_.is_null() ? std::string_view{} : scanner_.text());
    }
    scanner_.next();
  }

  CifScanner& scanner_;
  const std::string& path_;
  std::span<const std::string_view> categories_;
  std::string_view bulk_;
  const CifLoopReader& read_bulk_;
  std::vector<CifTable> tables_;
};

}  // namespace

std::vector<CifTable> read_cif(CifScanner& scanner, const std::string& path,
                               std::span<const std::string_view> categories, std::string_view bulk,
                               const CifLoopReader& read_bulk) {
  return CifReader(scanner, path, categories, bulk, read_bulk).read();
}

}  // namespace ionwell
