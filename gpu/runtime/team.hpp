// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <vector>

#include "gpu/runtime/check.hpp"
#include "gpu/runtime/spread_memory.hpp"

namespace ionwell::gpu {

/// One device's part of some work: number `part` of `parts`.
struct Share {
  int part = 0, parts = 1;

  /// The first of `items` that are this one's; where it ends, the next one's begin.
  std::int64_t first_of(std::int64_t items) const { return items * part / parts; }
  Share next() const { return {part + 1, parts}; }
};

/// Devices that work on the same arrays, in one order: what is launched comes after all that was launched
/// before, whichever device did that; and what others have waiting takes later turns. The first device is the
/// main one, and must be current in every call.
class Team {
 public:
  /// All of these devices if each reaches the memory of all others; otherwise the first alone.
  explicit Team(const std::vector<int>& ordinals);
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  const std::vector<int>& ordinals() const { return ordinals_; }

  /// Of the main device: for copies and what is for one device.
  cudaStream_t stream() const { return members_.front().stream; }

  /// Calls launch(share, stream) for each device, with the device current; for the main one alone where an
  /// array of `items` floats is not spread.
  template <typename Launch>
  void share(std::int64_t items, const Launch& launch) const {
    if (members_.size() == 1 || std::size_t(items) * sizeof(float) < least_spread_bytes)
      return launch(Share{}, stream());
    fork();
    try {
      for (std::size_t n = 0; n < members_.size(); ++n) {
        check(cudaSetDevice(ordinals_[n]), "going to another device");
        launch(Share{int(n), int(members_.size())}, members_[n].stream);
      }
    } catch (...) {
      wait_for_all();
      throw;
    }
    join();
  }

 private:
  struct Member {
    cudaStream_t stream = nullptr;
    cudaEvent_t event = nullptr;
  };

  void close() noexcept;
  void fork() const;
  void join() const;
  void wait_for_all() const noexcept;  // waits for all, the main device current again

  std::vector<int> ordinals_;
  std::vector<Member> members_;
};

}  // namespace ionwell::gpu
