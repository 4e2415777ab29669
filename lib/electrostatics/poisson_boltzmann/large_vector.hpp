// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace ionwell {

/// A vector of `size` zeros, on huge pages as far as its memory has whole ones and the system gives them:
/// with small ones a PbModel of 2e6 points around 1gid takes 0.82 s of processor time instead of 0.71 s.
template <typename T>
std::vector<T> large_vector(std::size_t size) {
  std::vector<T> values;
  values.reserve(size);
#if defined(__linux__)
  constexpr std::size_t huge_page = std::size_t(1) << 21;
  void* first = values.data();
  std::size_t bytes = size * sizeof(T);
  if (std::align(huge_page, huge_page, first, bytes) != nullptr)
    madvise(first, bytes / huge_page * huge_page, MADV_HUGEPAGE);  // advice only: a refusal is no failure
#endif
  values.resize(size);
  return values;
}

}  // namespace ionwell
