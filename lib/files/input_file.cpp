// SPDX-License-Identifier: BSD-3-Clause
#include "files/input_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <limits>
#include <utility>

#include "core/error.hpp"
#include "core/text/count_text.hpp"
#include "files/byte_order_mark.hpp"

namespace ionwell {
namespace {

constexpr std::size_t head_bytes = 1 << 16;

int open_to_read(const std::string& path) {
  const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor >= 0) return descriptor;
  if (errno == ENOENT) fail(path, ": no such file; check the path");
  fail(path, ": cannot be opened: ", std::strerror(errno), "; check its permissions");
}

}  // namespace

bool is_standard_input(std::string_view path) {
  return path == "-" || path == "/dev/stdin" || path == "/dev/fd/0" || path == "/proc/self/fd/0";
}

InputFile::InputFile(const std::string& path)
    : name_(path == "-" ? standard_input_name : path),
      is_standard_input_(is_standard_input(path)),
      descriptor_(is_standard_input_ ? STDIN_FILENO : open_to_read(path)),
      bytes_(name_, head_bytes) {
  try {
    struct stat status {};
    if (fstat(descriptor_, &status) != 0) fail(name_, ": cannot be read: ", std::strerror(errno));
    if (S_ISDIR(status.st_mode)) fail(name_, ": is a folder; give a file in it");
    is_regular_ = S_ISREG(status.st_mode);
    if (is_regular_) likely_size_ = std::size_t(status.st_size);
    while (!at_end_ && bytes_.size() < head_bytes) read_more();
    bytes_.drop(byte_order_mark_size(bytes_.text()));
    if (bytes_.size() == 0) fail(name_, ": is empty; check the program that wrote it");
  } catch (...) {
    if (!is_standard_input_) close(descriptor_);
    throw;
  }
}

InputFile::InputFile(std::string name, std::string_view bytes)
    : name_(std::move(name)),
      is_standard_input_(false),
      at_end_(true),
      likely_size_(bytes.size()),
      bytes_(name_, bytes.size()) {
  std::copy(bytes.begin(), bytes.end(), bytes_.free_space());
  bytes_.add(bytes.size());
}

InputFile::InputFile(InputFile&& other) noexcept
    : name_(std::move(other.name_)),
      is_standard_input_(other.is_standard_input_),
      descriptor_(std::exchange(other.descriptor_, -1)),
      is_regular_(other.is_regular_),
      at_end_(other.at_end_),
      likely_size_(other.likely_size_),
      bytes_(std::move(other.bytes_)),
      given_(other.given_),
      dropped_(other.dropped_) {}

InputFile::~InputFile() {
  if (descriptor_ >= 0 && !is_standard_input_) close(descriptor_);
}

void InputFile::read_more() {
  const ssize_t count = read(descriptor_, bytes_.free_space(), bytes_.free_size());
  if (count < 0 && errno == EINTR) return;
  if (count < 0) fail(name_, ": cannot be read: ", std::strerror(errno));
  bytes_.add(std::size_t(count));
  at_end_ = count == 0;
}

void InputFile::read_to(std::size_t size, std::size_t most) {
  // One byte more than the file has, so that its end is seen without growing.
  if (!at_end_ && is_regular_) bytes_.grow_to(std::min(likely_size_, most - 1) + 1);
  while (!at_end_ && bytes_.size() < size) {
    if (bytes_.free_size() == 0) bytes_.grow(most);
    read_more();
  }
}

void InputFile::lengthen_head(std::size_t size) {
  read_to(size, size);
}

void InputFile::fail_for_size(const InputLimits& limits) const {
  fail(name_, ": contains more than ", grouped(std::int64_t(limits.unpacked_bytes)),
       " bytes; write it to a file first");
}

std::string_view InputFile::next_piece(const InputLimits& limits) {
  constexpr std::size_t piece_bytes = std::size_t{1} << 20;  // which a cache holds
  bytes_.drop(given_);
  dropped_ += std::exchange(given_, 0);
  for (;;) {
    const std::size_t ended = bytes_.text().rfind('\n') + 1;  // 0 where no line ends
    if (at_end_) return bytes_.text().substr(0, given_ = bytes_.size());
    if (ended > 0 && bytes_.size() >= piece_bytes) return bytes_.text().substr(0, given_ = ended);
    if (!is_regular_ && dropped_ + bytes_.size() > limits.unpacked_bytes) fail_for_size(limits);
    read_to(bytes_.size() + piece_bytes, bytes_.size() + piece_bytes);
  }
}

FileBytes InputFile::read_all(const InputLimits& limits) {
  const std::size_t most = is_regular_ ? std::numeric_limits<std::size_t>::max() : limits.unpacked_bytes + 1;
  read_to(most, most);
  if (!at_end_) fail_for_size(limits);
  return bytes_.take();
}

FileBytes read_input_file(InputFile file, const InputLimits& limits) {
  refuse_other_packing(file.head(), file.name());
  if (!is_gzip(file.head())) refuse_binary(file.head(), file.name());  // before an endless rest
  return read_input_bytes(std::move(file), limits);
}

void refuse_binary(std::string_view head, const std::string& path) {
  if (head.find('\0') != head.npos)
    fail(path, ": is binary, not text (it contains a zero byte); give a text file");
}

InputLimits gzip_limits(std::size_t packed_bytes, const InputLimits& limits) {
  // Atoms pack to a fourth or a tenth, so a small file that unpacks to gigabytes is seen before they fill the
  // memory.
  constexpr std::size_t times_packed = 64, slack = std::size_t{1} << 20;
  return {.unpacked_bytes = std::min(limits.unpacked_bytes, times_packed * packed_bytes + slack)};
}

FileBytes read_input_bytes(InputFile file, const InputLimits& limits) {
  refuse_other_packing(file.head(), file.name());
  if (!is_gzip(file.head())) return file.read_all(limits);
  const FileBytes bytes = file.read_all(limits);
  FileBytes unpacked = gunzip(bytes.text(), file.name(), gzip_limits(bytes.text().size(), limits));
  refuse_other_packing(unpacked.text(), file.name());
  return unpacked;
}

FileBytes read_input_file(const std::string& path, const InputLimits& limits) {
  return read_input_file(InputFile(path), limits);
}

}  // namespace ionwell
