// SPDX-License-Identifier: BSD-3-Clause
#include "structures/gromacs/preprocessor.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "core/error.hpp"
#include "files/input_file.hpp"

namespace ionwell {
namespace {

constexpr std::size_t deepest_include = 64;
constexpr std::size_t most_includes = 10000;   // a force field has fewer than 100
constexpr std::size_t longest_line = 1 << 16;  // with the values of its words
constexpr int deepest_expansion = 32;          // words whose values hold words

/// Every character of every line is asked for: a table takes half the time of comparisons.
constexpr auto word_table = [] {
  std::array<bool, 256> table{};
  for (int c = 0; c < 128; ++c) table[std::size_t(c)] = is_letter(char(c)) || is_digit(char(c)) || c == '_';
  return table;
}();

bool is_word(char c) {
  return word_table[static_cast<unsigned char>(c)];
}

/// What is between blanks, or up to the end.
std::string_view take_word(std::string_view& text) {
  text = trim(text);
  return take_token(text);
}

std::string_view without_comment(std::string_view text) {
  return trim(text.substr(0, text.find(';')));
}

}  // namespace

GromacsPreprocessor::GromacsPreprocessor(const std::string& path, const GromacsPreprocessorOptions& options)
    : files_(options.files), include_path_(options.include_folders, files_ == nullptr) {
  for (const std::string& text : options.defines) {
    const std::string_view definition(text);
    const std::size_t equals = std::min(definition.find('='), definition.size());
    define(definition.substr(0, equals), definition.substr(std::min(equals + 1, definition.size())));
  }
  open(path);
}

bool GromacsPreprocessor::next(SourceLine& line) {
  while (next_joined(line)) {
    line.text = without_comment(line.text);
    if (line.text.starts_with('#')) {
      obey(line);
    } else if (!line.text.empty() && is_active()) {
      return true;
    }
  }
  return false;
}

/// The next line, with those that a backslash at its end joins to it.
bool GromacsPreprocessor::next_joined(SourceLine& line) {
  std::string_view text;
  while (!open_.back().lines.next(text)) {
    close();
    if (open_.empty()) return false;
  }
  OpenFile& file = open_.back();
  line = {trim(text), file.path, file.lines.number()};
  if (!line.text.ends_with('\\')) return true;
  joined_.clear();
  do {
    joined_.append(trim(text).substr(0, trim(text).size() - 1)).append(" ");
    if (!file.lines.next(text)) text = {};
  } while (trim(text).ends_with('\\'));
  line.text = joined_.append(text);
  return true;
}

void GromacsPreprocessor::obey(const SourceLine& line) {
  std::string_view rest = line.text.substr(1);
  const std::string_view word = take_word(rest);
  rest = trim(rest);
  if (word == "ifdef" || word == "ifndef" || word == "else" || word == "endif")
    return obey_condition(line, word, take_word(rest));
  if (word == "if" || word == "elif")
    fail(*line.path, ':', line.number, ": #", word, " is not a GROMACS directive; use #ifdef or #ifndef",
         chain());
  if (!is_active()) return;
  if (word == "include") return include(line, rest);
  if (word == "error")
    fail(*line.path, ':', line.number, ": #error ", rest.empty() ? "" : quote(rest),
         " was reached; define the words that the force field needs", chain());
  if (word != "define" && word != "undef")
    fail(*line.path, ':', line.number, ": ", quote(line.text),
         " is not a GROMACS directive; write ; before a comment", chain());
  const std::string_view name = take_word(rest);
  if (name.empty()) fail(*line.path, ':', line.number, ": #", word, " names nothing; add the name", chain());
  if (word == "define") return define(name, trim(rest));
  if (const auto found = values_.find(name); found != values_.end()) values_.erase(found);
}

void GromacsPreprocessor::obey_condition(const SourceLine& line, std::string_view word,
                                         std::string_view name) {
  const auto complain = [&](const char* problem) {
    fail(*line.path, ':', line.number, ": #", word, ' ', problem, chain());
  };
  if (word.starts_with("if")) {
    if (name.empty()) complain("names nothing; add the name");
    const bool holds = values_.contains(name) == (word == "ifdef");
    conditions_.push_back({is_active() && holds, is_active(), false, line.number});
    return;
  }
  if (conditions_.size() == open_.back().outer_conditions)
    complain("has no #ifdef or #ifndef in this file before it; add one, or remove it");
  if (word == "endif") return conditions_.pop_back();
  Condition& condition = conditions_.back();
  if (condition.has_else) complain("comes a second time for one #ifdef or #ifndef; remove one");
  condition.has_else = true;
  condition.is_active = condition.was_active && !condition.is_active;
}

void GromacsPreprocessor::define(std::string_view name, std::string_view value) {
  if (!name.empty()) initials_.set(static_cast<unsigned char>(name.front()));
  values_.insert_or_assign(std::string(name), std::string(value));
}

void GromacsPreprocessor::include(const SourceLine& line, std::string_view rest) {
  const std::string_view name = included_name(line.text);
  if (name.empty())
    fail(*line.path, ':', line.number, ": #include ", quote(rest),
         " has no file name in quotes; write #include \"FILE\"", chain());
  const auto is_there = [&](const std::string& path) {
    return files_ != nullptr ? files_->contains(path) : is_file_on_disk(path);
  };
  const std::optional<FoundInclude> found = include_path_.find(name, *line.path, is_there);
  if (!found)
    fail(*line.path, ':', line.number, ": there is no file ", quote(name), " to include (looked in ",
         include_path_.describe(*line.path),
         "); install the package gromacs-data, or name its folder as an include folder or in GMXLIB",
         chain());
  const std::string& path = found->path;
  for (const OpenFile& file : open_)
    if (*file.path == path)
      fail(*line.path, ':', line.number, ": includes ", path,
           ", which includes this file; remove one #include", chain());
  const bool too_deep = open_.size() == deepest_include;
  if (too_deep || included_.size() == most_includes)
    fail(*line.path, ':', line.number, ": files are included ",
         too_deep ? "to a depth of more than " : "more than ", too_deep ? deepest_include : most_includes,
         too_deep ? "" : " times", "; do they include each other?", chain());
  included_.push_back({path, *line.path, line.number});
  open(path);
}

void GromacsPreprocessor::open(const std::string& path) {
  const auto read = [&] {
    if (files_ == nullptr) return read_input_file(path);
    const auto found = files_->find(path);
    if (found == files_->end()) fail(path, ": there is no such file");
    const std::string& text = found->second;
    auto copy = std::make_unique<char[]>(text.size());
    std::memcpy(copy.get(), text.data(), text.size());
    return FileBytes(std::move(copy), text.size());
  };
  FileBytes bytes = read();
  const LineScanner lines(bytes.text());
  open_.push_back({&*paths_.insert(path).first, std::move(bytes), lines, conditions_.size()});
}

void GromacsPreprocessor::close() {
  const OpenFile& file = open_.back();
  if (conditions_.size() > file.outer_conditions)
    fail(*file.path, ':', conditions_.back().line,
         ": this #ifdef or #ifndef has no #endif in its file; add it", chain());
  open_.pop_back();
}

std::string_view GromacsPreprocessor::expanded(const SourceLine& line) {
  const auto is_defined = [&](std::string_view text) {
    for (std::size_t begin = 0, end; begin < text.size(); begin = end + 1) {
      for (end = begin; end < text.size() && is_word(text[end]);) ++end;
      if (end == begin || !initials_[static_cast<unsigned char>(text[begin])]) continue;
      if (const auto found = values_.find(text.substr(begin, end - begin)); found != values_.end())
        return true;
    }
    return false;
  };
  if (values_.empty() || !is_defined(line.text)) return line.text;
  return expanded_ = expand(line.text, 0, line);
}

/// A word that is defined without a value stays, and one that comes back in its own value.
std::string GromacsPreprocessor::expand(std::string_view text, int depth, const SourceLine& line) const {
  std::string result;
  for (std::size_t begin = 0, end; begin < text.size(); begin = end) {
    for (end = begin; end < text.size() && is_word(text[end]) == is_word(text[begin]);) ++end;
    const std::string_view word = text.substr(begin, end - begin);
    const auto found = values_.find(word);
    if (found == values_.end() || found->second.empty() || depth == deepest_expansion) {
      result += word;
    } else {
      result += expand(found->second, found->second == word ? deepest_expansion : depth + 1, line);
    }
    if (result.size() > longest_line)
      fail(*line.path, ':', line.number, ": with the values of its defined words the line has more than ",
           longest_line, " characters; correct the #define of ", quote(word), chain());
  }
  return result;
}

/// "; it is included from b.itp:3, a.top:7", for a message about a file that another one includes.
std::string GromacsPreprocessor::chain() const {
  std::string places;
  for (std::size_t i = open_.size(); i-- > 1;) {
    const OpenFile& file = open_[i - 1];
    places += (places.empty() ? "; it is included from " : ", ") + *file.path + ':' +
              std::to_string(file.lines.number());
  }
  return places;
}

}  // namespace ionwell
