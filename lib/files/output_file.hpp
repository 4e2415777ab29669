// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <string_view>

/// Files that appear under their names only when complete.
namespace ionwell {

/// Throws when `path` cannot be written: no such folder, no permission, a folder itself. Called before a long
/// computation, it saves the user from learning it afterwards. Leaves nothing behind.
void check_writable(const std::string& path);

/// Removes what runs that were killed left where `path` is to be: see remove_left_files.
void remove_left_parts(const std::string& path);

/// Whether it is "-" or another name of standard output. A file of that name is ./-.
bool is_standard_output(const std::string& path);

/// Whether both names lead to one file, however they are spelled; it need not exist yet.
bool same_file(const std::string& a, const std::string& b);

/// Throws UsageError when both are the same file.
void check_not_input(const std::string& output, const std::string& input);

/// One file being written. It grows under a temporary name in the same folder and takes its place, and that
/// of a file already there, in `commit`; without that nothing is left. To write several files all or none,
/// write and finish all of them first and commit then. A link stays, and what it leads to is written. Devices
/// and pipes, and standard output (-), are written directly. Every failure, a full disk included, is an Error
/// with the path, the reason and the way out. One thread at a time: several go through an OrderedWriter.
class OutputFile {
 public:
  explicit OutputFile(std::string path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  const std::string& path() const { return path_; }

  void write(std::string_view bytes);

  /// For a library that opens its file itself and writes at any place: the temporary file. Throws for devices
  /// and pipes.
  const std::string& path_for_libraries() const;

  /// Throws what `write` would for this reason (an errno).
  [[noreturn]] void fail_to_write(int reason) const;

  /// After the last byte: closes, which is when some disks tell that they are full.
  void finish();

  /// Last call: finishes and renames.
  void commit();

  /// After a commit, because another file's has failed: removes this one, unless it took another's place.
  void withdraw() noexcept;

 private:
  void open_directly();
  void open_temporary();
  void abandon() noexcept;

  std::string path_;
  std::string target_path_;     // where links lead to
  std::string temporary_path_;  // empty when written directly
  int descriptor_ = -1;
  int lock_ = -1;  // a copy of it that tells other runs that this one lives
  bool is_new_ = false;
  int slot_ = -1;  // in the list for remove_unfinished_files
};

/// OutputFile, write and commit in one.
void write_file(const std::string& path, std::string_view bytes);

/// Removes the temporary files of this process. Async-signal-safe: for a handler of SIGINT.
void remove_unfinished_files() noexcept;

}  // namespace ionwell
