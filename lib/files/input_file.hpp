// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "files/file_bytes.hpp"
#include "files/packing.hpp"

namespace ionwell {

/// What messages call the file "-".
constexpr std::string_view standard_input_name = "standard input";

/// Whether it is "-" or another name of standard input. A file of that name is ./-.
bool is_standard_input(std::string_view path);

/// A file, a pipe, or standard input ("-"): its beginning can be looked at before the rest is read, so that
/// what is of no use is refused at once, and what can be read only once is read only once. For one thread.
class InputFile {
 public:
  /// Opens it and reads its beginning. Throws Error when it is missing, a directory, empty, or not readable.
  explicit InputFile(const std::string& path);
  /// A file whose bytes are known: of standard input that was read, to read it once more.
  InputFile(std::string name, std::string_view bytes);
  InputFile(InputFile&& other) noexcept;  // which is then of no more use
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  ~InputFile();

  /// What messages call it: its path, or "standard input".
  const std::string& name() const { return name_; }

  /// The first 64 KiB, or all that there is, without a byte-order mark.
  std::string_view head() const { return bytes_.text(); }

  /// Reads on until head() has `size` bytes or more, or all that there is.
  void lengthen_head(std::size_t size);

  /// Text that is gone through once and need not fit into memory: head(), and in further calls what follows,
  /// in pieces of whole lines, of which the last may lack its end; nothing when all was given. A piece is
  /// good until the next call. Instead of read_all(), with its errors, and for what is not packed.
  std::string_view next_piece(const InputLimits& limits = {});

  /// Bytes of a file, or what has been read of a pipe.
  std::size_t likely_size() const { return std::max(likely_size_, bytes_.size()); }

  /// Whether a library can open it once more by its name and finds all of it: neither a pipe nor "-".
  bool can_be_reopened() const { return is_regular_ && !is_standard_input_; }

  /// Reads the rest; gives all of it, as it is. Call it once. Throws Error for a pipe that gives more than
  /// the limit, and for more than there is memory for.
  FileBytes read_all(const InputLimits& limits = {});

 private:
  [[noreturn]] void fail_for_size(const InputLimits& limits) const;
  void read_more();
  void read_to(std::size_t size, std::size_t most);

  std::string name_;
  bool is_standard_input_;
  int descriptor_ = -1;
  bool is_regular_ = false, at_end_ = false;
  std::size_t likely_size_ = 0;
  GrowingBytes bytes_;
  std::size_t given_ = 0, dropped_ = 0;  // by next_piece(): of bytes_, and before
};

/// The whole file, unpacked when its first bytes say gzip, whatever its name. It is for text about atoms,
/// which packs to no less than a 64th. Throws Error as above, for binary files, for cut or damaged gzip data,
/// and for what is packed otherwise.
FileBytes read_input_file(const std::string& path, const InputLimits& limits = {});
FileBytes read_input_file(InputFile file, const InputLimits& limits = {});

/// Throws Error for text that begins so and holds a zero byte.
void refuse_binary(std::string_view head, const std::string& path);

/// The limit for so many bytes of gzip data: of text about atoms.
InputLimits gzip_limits(std::size_t packed_bytes, const InputLimits& limits = {});

/// The same for files that may be binary.
FileBytes read_input_bytes(InputFile file, const InputLimits& limits = {});

}  // namespace ionwell
