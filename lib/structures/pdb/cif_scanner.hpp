// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"

namespace ionwell {

/// Goes through the text of a CIF file token by token (S. R. Hall, J. D. Westbrook, Int. Tables Cryst. G,
/// 2.2; CIF 1.1).
class CifScanner {
 public:
  enum class Kind { end, data, loop, tag, value };

  /// Moves to the first token. Copies nothing: tokens are parts of the text. `path` is for messages.
  CifScanner(std::string_view text, const std::string& path);

  /// The same for text that comes in pieces of whole lines, and ends with an empty one. Of what was gone
  /// through no more is kept than the present token, or row.
  CifScanner(std::function<std::string_view()> next_piece, const std::string& path);

  CifScanner(const CifScanner&) = delete;
  CifScanner& operator=(const CifScanner&) = delete;

  Kind kind() const { return kind_; }
  std::string_view text() const { return token_; }  // of a value without its quotes; until next()
  bool is_null() const { return is_null_; }         // a value that is . or ? without quotes
  std::int64_t line() const { return line_; }       // of the token, from 1
  bool ends_text() const { return ends_text_; }  // the last value of the last row has no line end behind it

  /// Moves on. Throws Error for quotes and text fields that do not end.
  void next();

  /// As many values as `row` has, from the present token on, and moves after them; empty for . and ?. They
  /// are good until the scanner moves on. Returns how many there were before something else came, or the end
  /// of the text.
  std::size_t take_row(std::span<std::string_view> row);

 private:
  bool read_on();
  void skip_blanks();
  void read_quoted(char quote);
  void read_text_field();
  void classify();
  std::size_t take_values(std::span<std::string_view> row);
  std::size_t take_plain(std::span<std::string_view> row);

  std::function<std::string_view()> next_piece_;  // none when all has come
  std::string window_;                            // of pieces
  std::int64_t pieces_ = 0;
  std::size_t kept_from_ = 0;  // what is before it in the text may go
  bool keeps_row_ = false;
  std::string_view text_;
  const std::string& path_;
  std::size_t at_ = 0;
  std::size_t token_at_ = 0;  // with its quote
  std::string_view token_;
  Kind kind_ = Kind::end;
  bool is_null_ = false, ends_text_ = false;
  std::int64_t line_ = 1;
  std::int64_t lines_in_field_ = 0;  // that a text field, the token, goes over
};

/// A category: one tag or several, and their values row by row.
struct CifTable {
  std::vector<std::string> tags;    // with the category's name
  std::vector<std::string> values;  // empty for . and ?
  std::int64_t line = 1;            // of its first tag

  std::size_t rows() const { return tags.empty() ? 0 : values.size() / tags.size(); }

  /// Column of the tag _category.item, in any case; -1 where there is none.
  int column(std::string_view tag) const;

  /// Empty where there is no such column.
  std::string_view at(std::size_t row, int column) const {
    return column < 0 ? std::string_view{} : values[row * tags.size() + std::size_t(column)];
  }
};

/// Takes the values of a loop whose tags begin with `tags`, with the scanner on the first of them.
using CifLoopReader = std::function<void(std::span<const std::string> tags, CifScanner& scanner)>;

/// Reads the categories that are named ("_cell."), each as one table, to the end of the text. Loops of the
/// category `bulk` go to `read_bulk`, value by value; its single values to a table at the end of the result.
/// Throws Error for what is no CIF.
std::vector<CifTable> read_cif(CifScanner& scanner, const std::string& path,
                               std::span<const std::string_view> categories, std::string_view bulk = {},
                               const CifLoopReader& read_bulk = {});

/// Whether `tag` is of the category, in any case.
bool is_of_category(std::string_view tag, std::string_view category);

}  // namespace ionwell
