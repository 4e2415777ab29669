// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <bit>
#include <cstring>
#include <utility>

/// Numbers in the byte order of binary files.
namespace ionwell {

/// The number at `at`, which need not be aligned, turned round when the file has the other byte order.
template <typename T>
T load(const char* at, bool swapped) {
  std::array<char, sizeof(T)> bytes;
  std::memcpy(bytes.data(), at, sizeof(T));
  if (swapped)
    for (std::size_t i = 0; i < sizeof(T) / 2; ++i) std::swap(bytes[i], bytes[sizeof(T) - 1 - i]);
  return std::bit_cast<T>(bytes);
}

}  // namespace ionwell
