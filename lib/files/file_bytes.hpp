// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

/// Bytes of files, in memory that is not filled with zeros first.
namespace ionwell {

/// All bytes of a file, which can be moved and not copied.
class FileBytes {
 public:
  FileBytes(std::unique_ptr<char[]> bytes, std::size_t size) : bytes_(std::move(bytes)), size_(size) {}
  FileBytes(FileBytes&& other) noexcept
      : bytes_(std::move(other.bytes_)), size_(std::exchange(other.size_, 0)) {}
  FileBytes(const FileBytes&) = delete;
  FileBytes& operator=(const FileBytes&) = delete;

  std::string_view text() const { return {bytes_.get(), size_}; }

 private:
  std::unique_ptr<char[]> bytes_;
  std::size_t size_;
};

/// Bytes that are added at the end, where nobody knows how many will come.
class GrowingBytes {
 public:
  /// `path` is for messages.
  GrowingBytes(std::string path, std::size_t capacity);
  GrowingBytes(GrowingBytes&& other) noexcept
      : path_(std::move(other.path_)),
        bytes_(std::move(other.bytes_)),
        size_(std::exchange(other.size_, 0)),
        capacity_(std::exchange(other.capacity_, 0)) {}
  GrowingBytes(const GrowingBytes&) = delete;
  GrowingBytes& operator=(const GrowingBytes&) = delete;

  char* free_space() { return bytes_.get() + size_; }
  std::size_t free_size() const { return capacity_ - size_; }
  std::size_t size() const { return size_; }
  std::string_view text() const { return {bytes_.get(), size_}; }
  void add(std::size_t count) { size_ += count; }

  /// Forgets the first `count` bytes.
  void drop(std::size_t count) {
    if (count == 0) return;
    size_ -= count;
    std::memmove(bytes_.get(), bytes_.get() + count, size_);
  }

  /// Forgets all bytes and keeps their memory.
  void clear() { size_ = 0; }

  /// All that was added; nothing is left here.
  FileBytes take() {
    capacity_ = 0;
    return {std::move(bytes_), std::exchange(size_, 0)};
  }

  /// Makes room for `capacity` bytes in all. Throws Error when there is not so much memory: the system would
  /// lend it, and end the program when the bytes come.
  void grow_to(std::size_t capacity);

  /// Twice the room, but not more than for `most` bytes in all, nor less than for one more.
  void grow(std::size_t most);

 private:
  std::string path_;
  std::unique_ptr<char[]> bytes_;
  std::size_t size_ = 0, capacity_ = 0;
};

}  // namespace ionwell
