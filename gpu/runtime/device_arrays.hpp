// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "gpu/runtime/device_buffer.hpp"
#include "gpu/runtime/spread_memory.hpp"

namespace ionwell::gpu {

/// Some arrays: on one device one piece of memory, for each piece takes as long as a small kernel; spread
/// over several devices a piece each. Uninitialised.
class DeviceArrays {
 public:
  DeviceArrays() = default;
  /// `spreading_of`(n): of array n.
  template <typename SpreadingOf>
  DeviceArrays(std::span<const std::size_t> sizes, const SpreadingOf& spreading_of, std::string_view what) {
    constexpr std::size_t aligned = 64;  // numbers
    const auto room = [](std::size_t size) { return (size + aligned - 1) / aligned * aligned; };
    std::size_t in_one = 0;
    for (std::size_t n = 0; n < sizes.size(); ++n) {
      const Spreading spreading = spreading_of(n);
      if (spreading.ordinals.size() == 1) {
        in_one += room(sizes[n]);
      } else {
        const SpreadScope scope(spreading);
        pieces_.emplace_back(sizes[n], what);
        arrays_.push_back(pieces_.back().data());
      }
    }
    if (in_one == 0) return;
    pieces_.emplace_back(in_one, what);
    float* next = pieces_.back().data();
    for (const std::size_t size : sizes) {
      arrays_.push_back(next);
      next += room(size);
    }
  }

  void zero(cudaStream_t stream) {
    for (DeviceBuffer<float>& piece : pieces_) piece.zero(stream);
  }

  float* operator[](std::size_t n) const { return arrays_[n]; }

 private:
  std::vector<DeviceBuffer<float>> pieces_;
  std::vector<float*> arrays_;
};

}  // namespace ionwell::gpu
