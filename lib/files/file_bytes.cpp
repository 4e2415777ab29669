// SPDX-License-Identifier: BSD-3-Clause
#include "files/file_bytes.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "core/available_memory.hpp"
#include "core/error.hpp"

namespace ionwell {

GrowingBytes::GrowingBytes(std::string path, std::size_t capacity) : path_(std::move(path)) {
  grow_to(capacity);
}

void GrowingBytes::grow_to(std::size_t capacity) {
  if (capacity <= capacity_) return;
  constexpr std::size_t always_there = std::size_t{1} << 26;  // to ask costs as much as to read 100 kB
  if (capacity > always_there)
    if (const std::int64_t available = available_memory_bytes(); capacity > std::size_t(available))
      fail(path_, ": reading it needs ", describe_bytes(std::int64_t(capacity)),
           " of memory or more, but only ", describe_bytes(available),
           " are free; free some memory, or give a smaller file");
  std::unique_ptr<char[]> larger(new char[capacity]);  // make_unique would fill it with zeros
  if (size_ > 0) std::memcpy(larger.get(), bytes_.get(), size_);
  bytes_ = std::move(larger);
  capacity_ = capacity;
}

void GrowingBytes::grow(std::size_t most) {
  grow_to(std::max(capacity_ + 1, std::min(2 * capacity_, most)));
}

}  // namespace ionwell
