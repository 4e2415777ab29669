#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

/// Bytes of files, in memory that is not filled with zeros first.
namespace ionwell {

class FileBytes {
 public:
  FileBytes(std::unique_ptr<char[]> bytes, std::size_t size) : bytes_(std::move(bytes)), size_(size) {}

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

  char* free_space() { return bytes_.get() + size_; }
  std::size_t free_size() const { return capacity_ - size_; }
  std::size_t size() const { return size_; }
  std::string_view text() const { return {bytes_.get(), size_}; }
  void add(std::size_t count) { size_ += count; }
  FileBytes take() { return {std::move(bytes_), size_}; }

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
