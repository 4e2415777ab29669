// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime.h>

#include <utility>
#include <vector>

namespace ionwell::gpu {

/// Keeps the memory of an array from being moved, so that devices copy from and to it at full speed. Where
/// the system does not allow that, or for an array that is hardly worth it, it does nothing. The array must
/// stay, and keep its size.
class PinnedPages {
 public:
  PinnedPages() = default;
  template <typename T>
  explicit PinnedPages(std::vector<T>& array) {
    constexpr std::size_t least_bytes = 1 << 20;
    const std::size_t bytes = array.size() * sizeof(T);
    if (bytes < least_bytes) return;
    if (cudaHostRegister(array.data(), bytes, cudaHostRegisterPortable) == cudaSuccess)
      array_ = array.data();
    else
      cudaGetLastError();  // forgets it
  }
  PinnedPages(PinnedPages&& other) noexcept : array_(std::exchange(other.array_, nullptr)) {}
  PinnedPages& operator=(PinnedPages&& other) noexcept {
    std::swap(array_, other.array_);
    return *this;
  }
  ~PinnedPages() {
    if (array_ != nullptr) cudaHostUnregister(array_);
  }

 private:
  void* array_ = nullptr;
};

}  // namespace ionwell::gpu
