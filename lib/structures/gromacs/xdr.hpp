// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

#include "files/binary_values.hpp"

/// Numbers of XDR files (RFC 4506), which are big-endian and aligned to four bytes.
namespace ionwell {

/// Goes through bytes from the front; whoever reads asks first whether they are there.
class XdrScanner {
 public:
  explicit XdrScanner(std::string_view bytes, std::size_t at = 0) : bytes_(bytes), at_(at) {}

  std::size_t position() const { return at_; }
  std::uint64_t rest() const { return bytes_.size() - at_; }
  bool has(std::uint64_t count) const { return count <= rest(); }

  /// The next T; has(sizeof(T)) must hold.
  template <typename T>
  T take() {
    const T value = load<T>(bytes_.data() + at_, std::endian::native == std::endian::little);
    at_ += sizeof(T);
    return value;
  }

  /// The next `count` bytes; has(count) must hold.
  std::string_view take_bytes(std::uint64_t count) {
    const std::string_view bytes = bytes_.substr(at_, count);
    at_ += count;
    return bytes;
  }

 private:
  std::string_view bytes_;
  std::size_t at_;
};

}  // namespace ionwell
