// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <bitset>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/text/lines.hpp"
#include "files/file_bytes.hpp"
#include "structures/gromacs/include_path.hpp"

namespace ionwell {

/// What `gmx grompp` gets beside the topology: `define` and `include` of its .mdp file.
struct GromacsPreprocessorOptions {
  std::vector<std::string> defines;          // NAME or NAME=VALUE, as behind -D
  std::vector<std::string> include_folders;  // as behind -I; before GMXLIB and what GROMACS installs
  /// Texts of files by their path; where it is given no other file is there.
  const std::map<std::string, std::string>* files = nullptr;
};

/// Where a line came from.
struct SourceLine {
  std::string_view text;              // good until the next one is asked for
  const std::string* path = nullptr;  // as long as the preprocessor lives
  std::int64_t number = 0;            // of its first line where a backslash joins several
};

/// A file that an `#include` named.
struct IncludedFile {
  std::string path;
  std::string from;       // the file that includes it,
  std::int64_t line = 0;  // and where
};

/// Goes through a GROMACS topology as GROMACS does: `#include`, `#define`, `#undef`, `#ifdef`, `#ifndef`,
/// `#else`, `#endif` and `#error`, comments from ; on, lines that end in a backslash. A file is looked for
/// beside the one that includes it, in the include folders, in GMXLIB, in $GMXDATA/top and where GROMACS
/// installs its own. Throws Error for what GROMACS refuses, and for files that include themselves, with
/// `path:line:`. Source: GROMACS 2022, src/gromacs/gmxpreprocess/gmxcpp.cpp.
class GromacsPreprocessor {
 public:
  GromacsPreprocessor(const std::string& path, const GromacsPreprocessorOptions& options);

  /// The next line that is neither empty nor a directive of the preprocessor, trimmed and without its
  /// comment. Its defined words still stand in it: see expanded().
  bool next(SourceLine& line);

  /// `line` with the values of defined words in their place; good until the next call.
  std::string_view expanded(const SourceLine& line);

  /// In the order in which they were opened.
  const std::vector<IncludedFile>& included() const { return included_; }

 private:
  struct OpenFile {
    const std::string* path;
    FileBytes bytes;
    LineScanner lines;
    std::size_t outer_conditions;  // that were open when it was opened
  };
  struct Condition {
    bool is_active, was_active;  // this branch; that around it
    bool has_else;
    std::int64_t line;
  };
  struct Hash : std::hash<std::string_view> {
    using is_transparent = void;
  };

  bool next_joined(SourceLine& line);
  void obey(const SourceLine& line);
  void obey_condition(const SourceLine& line, std::string_view word, std::string_view name);
  void define(std::string_view name, std::string_view value);
  void include(const SourceLine& line, std::string_view rest);
  void open(const std::string& path);
  void close();
  std::string expand(std::string_view text, int depth, const SourceLine& line) const;
  bool is_active() const { return conditions_.empty() || conditions_.back().is_active; }
  std::string chain() const;

  const std::map<std::string, std::string>* files_;
  GromacsIncludePath include_path_;
  std::set<std::string> paths_;  // of all files, for messages
  std::deque<OpenFile> open_;
  std::vector<Condition> conditions_;
  std::unordered_map<std::string, std::string, Hash, std::equal_to<>> values_;
  std::bitset<256> initials_;  // of all words that were ever defined: most words of a line begin otherwise
  std::vector<IncludedFile> included_;
  std::string joined_, expanded_;
};

}  // namespace ionwell
