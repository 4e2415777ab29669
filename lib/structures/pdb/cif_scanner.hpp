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
/// 2.2; CIF 1.1). Copies nothing: tokens are parts of the text, which must outlive them.
class CifScanner {
 public:
  enum class Kind { end, data, loop, tag, value };

  /// Moves to the first token. `path` is for messages.
  CifScanner(std::string_view text, const std::string& path);

  Kind kind() const { return kind_; }
  std::string_view text() const { return token_; }  // of a value without its quotes
  bool is_null() const { return is_null_; }         // a value that is . or ? without quotes
  std::int64_t line() const { return line_; }       // of the token, from 1

  /// Moves on. Throws Error for quotes and text fields that do not end.
  void next();

  /// As many values as `row` has, from the present token on, and moves behind them; empty for . and ?.
  /// Returns how many there were before something else came, or the end of the text.
  std::size_t take_row(std::span<std::string_view> row);

 private:
  void skip_blanks();
  void read_quoted(char quote);
  void read_text_field();
  void classify();
  std::size_t take_plain(std::span<std::string_view> row);

  std::string_view text_;
  const std::string& path_;
  std::size_t at_ = 0;
  std::string_view token_;
  Kind kind_ = Kind::end;
  bool is_null_ = false;
  std::int64_t line_ = 1;
  std::int64_t lines_in_field_ = 0;  // that a text field, the token, goes over
};

/// A category: one tag or several, and their values row by row.
struct CifTable {
  std::vector<std::string_view> tags;    // with the category's name
  std::vector<std::string_view> values;  // empty for . and ?
  std::int64_t line = 1;                 // of its first tag

  std::size_t rows() const { return tags.empty() ? 0 : values.size() / tags.size(); }

  /// Column of the tag _category.item, in any case; -1 where there is none.
  int column(std::string_view tag) const;

  /// Empty where there is no such column.
  std::string_view at(std::size_t row, int column) const {
    return column < 0 ? std::string_view{} : values[row * tags.size() + std::size_t(column)];
  }
};

/// Takes the values of a loop whose tags begin with `tags`, with the scanner on the first of them.
using CifLoopReader = std::function<void(std::span<const std::string_view> tags, CifScanner& scanner)>;

/// Reads the categories that are named ("_cell."), each as one table, from the whole file. Loops of the
/// category `bulk` go to `read_bulk`, value by value; its single values to a table at the end of the result.
/// Throws Error for what is no CIF.
std::vector<CifTable> read_cif(std::string_view text, const std::string& path,
                               std::span<const std::string_view> categories, std::string_view bulk = {},
                               const CifLoopReader& read_bulk = {});

/// Whether `tag` is of the category, in any case.
bool is_of_category(std::string_view tag, std::string_view category);

}  // namespace ionwell
