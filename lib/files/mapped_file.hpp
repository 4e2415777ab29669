// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace ionwell {

/// The bytes of a regular file, of which the system keeps in memory what is looked at: for files that are
/// larger than memory. The file must not become shorter while this exists; `check_size` tells.
class MappedFile {
 public:
  /// Throws Error when it is missing, empty, no regular file, or cannot be mapped.
  explicit MappedFile(std::string path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::string_view bytes() const { return {data_, size_}; }

  /// Throws Error when the file has become shorter: what is gone must not be touched.
  void check_size() const;

  /// Gives back the memory of what was looked at so far; it is read again when it is wanted again.
  void forget() const noexcept;

 private:
  [[noreturn]] void fail_for(const char* what) const;

  std::string path_;
  int descriptor_ = -1;
  const char* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace ionwell
