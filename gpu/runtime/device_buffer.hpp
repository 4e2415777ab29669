// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "gpu/runtime/check.hpp"
#include "gpu/runtime/device_memory.hpp"
#include "gpu/runtime/field_meter.hpp"
#include "gpu/runtime/spread_memory.hpp"

namespace ionwell::gpu {

/// An array in device memory, of the device that is current when it is made. Uninitialised until written.
template <typename T>
class DeviceBuffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  DeviceBuffer() = default;
  /// `what` says in a message what did not fit. Throws Error.
  explicit DeviceBuffer(std::size_t size, std::string_view what = "working arrays")
      : data_(static_cast<T*>(allocate(size * sizeof(T), what))), size_(size), meter_(current_meter()) {
    if (meter_) meter_->count_memory(std::ptrdiff_t(size * sizeof(T)));
  }
  DeviceBuffer(std::span<const T> host, cudaStream_t stream, std::string_view what = "working arrays")
      : DeviceBuffer(host.size(), what) {
    copy_from(host, stream);
  }
  DeviceBuffer(DeviceBuffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        meter_(std::move(other.meter_)) {}
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(meter_, other.meter_);
    return *this;
  }
  ~DeviceBuffer() {
    release(data_);
    if (meter_) meter_->count_memory(-std::ptrdiff_t(size_ * sizeof(T)));
  }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }

  /// Copies `host` to the elements from `first` on. The host array may be reused when the stream is done
  /// with it; for an array that is not pinned that is at once.
  void copy_from(std::span<const T> host, cudaStream_t stream, std::size_t first = 0) {
    if (host.empty()) return;
    const auto* const from = reinterpret_cast<const char*>(host.data());
    for_each_part(data_ + first, host.size_bytes(), [&](char* to, std::size_t begin, std::size_t bytes) {
      check(cudaMemcpyAsync(to, from + begin, bytes, cudaMemcpyHostToDevice, stream), "a copy to the device");
    });
    count_to_device(host.size_bytes());
  }

  /// Copies the elements from `first` on to `host`, and waits until they are there.
  void copy_to(std::span<T> host, cudaStream_t stream, std::size_t first = 0) const {
    if (!host.empty()) {
      auto* const to = reinterpret_cast<char*>(host.data());
      for_each_part(data_ + first, host.size_bytes(), [&](char* from, std::size_t begin, std::size_t bytes) {
        check(cudaMemcpyAsync(to + begin, from, bytes, cudaMemcpyDeviceToHost, stream),
              "a copy from the device");
      });
      count_to_host(host.size_bytes());
    }
    check(cudaStreamSynchronize(stream), "waiting for the device");
  }

  std::vector<T> to_host(cudaStream_t stream) const {
    std::vector<T> host(size_);
    copy_to(host, stream);
    return host;
  }

  /// Sets every byte to 0.
  void zero(cudaStream_t stream) {
    for_each_part(data_, size_ * sizeof(T), [&](char* at, std::size_t, std::size_t bytes) {
      check(cudaMemsetAsync(at, 0, bytes, stream), "clearing device memory");
    });
  }

 private:
  /// Calls work(address, where it begins, bytes) for what each device has of some memory.
  template <typename Work>
  static void for_each_part(T* memory, std::size_t bytes, const Work& work) {
    std::size_t begin = 0;
    if (bytes == 0) return;
    for (const std::size_t end : ends_of_parts(memory, bytes)) {
      work(reinterpret_cast<char*>(memory) + begin, begin, end - begin);
      begin = end;
    }
  }

  T* data_ = nullptr;
  std::size_t size_ = 0;
  std::shared_ptr<FieldMeter> meter_;  // of the field that it was made for
};

/// Makes a buffer larger where it is too small, with room for some more; what it held is lost then.
template <typename T>
void make_room(DeviceBuffer<T>& buffer, std::size_t size, std::string_view what) {
  if (buffer.size() >= size) return;
  buffer = {};
  buffer = DeviceBuffer<T>(size + size / 4, what);
}

}  // namespace ionwell::gpu
