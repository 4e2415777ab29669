// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace ionwell {

/// Uninitialised memory for arrays of hundreds of megabytes, on huge pages if the system has them: with small
/// pages the first touch of a ribosome's lattice costs as much as its potential. Aligned to 64 bytes or more;
/// moved, never copied. Throws std::bad_alloc.
template <typename T>
class LargeArray {
  static_assert(std::is_trivially_destructible_v<T>);

 public:
  LargeArray() = default;
  LargeArray(LargeArray&& other) noexcept
      : data_(std::move(other.data_)), size_(std::exchange(other.size_, 0)) {}
  LargeArray& operator=(LargeArray&& other) noexcept {
    data_ = std::move(other.data_);
    size_ = std::exchange(other.size_, 0);
    return *this;
  }
  explicit LargeArray(std::size_t size) : size_(size) {
    constexpr std::size_t huge_page = std::size_t(1) << 21;
    const std::size_t alignment = size * sizeof(T) < huge_page ? 64 : huge_page;
    const std::size_t bytes = (size * sizeof(T) + alignment - 1) / alignment * alignment;
    if (size == 0) return;
    data_.reset(static_cast<T*>(std::aligned_alloc(alignment, bytes)));
    if (!data_) throw std::bad_alloc();
#if defined(__linux__)
    if (alignment == huge_page)
      madvise(data_.get(), bytes, MADV_HUGEPAGE);  // advice only: a refusal is no failure
#endif
  }

  T* data() {
    return data_.get();
  }
  const T* data() const {
    return data_.get();
  }
  std::size_t size() const {
    return size_;
  }
  T& operator[](std::size_t i) {
    return data_.get()[i];
  }
  const T& operator[](std::size_t i) const {
    return data_.get()[i];
  }

 private:
  struct Free {
    void operator()(T* memory) const noexcept { std::free(memory); }
  };

  std::unique_ptr<T[], Free> data_;
  std::size_t size_ = 0;
};

}  // namespace ionwell
