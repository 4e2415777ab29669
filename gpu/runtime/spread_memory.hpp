// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

/// Arrays that lie in the memory of several devices, one part after the other, at addresses that all of them
/// use: a kernel reads across the border as it reads its own part, only slower. By CUDA's virtual memory.
namespace ionwell::gpu {

/// Arrays of fewer bytes stay on one device: there is too little work in them for two.
constexpr std::size_t least_spread_bytes = std::size_t{1} << 24;

/// How an array is spread.
struct Spreading {
  std::vector<int> ordinals;
  std::vector<double> ends;  // of each device's part, as a share of the array: the last is 1
};

/// While it exists, device memory that this thread allocates is spread so, to whole pages, if it has
/// least_spread_bytes. One device: as ever.
class SpreadScope {
 public:
  explicit SpreadScope(Spreading spreading);
  ~SpreadScope();
  SpreadScope(const SpreadScope&) = delete;
  SpreadScope& operator=(const SpreadScope&) = delete;

 private:
  Spreading spreading_;
  const Spreading* before_;
};

/// That of the innermost scope of this thread; null without one, or when it has only one device.
const Spreading* current_spread();

/// Whether these devices can have such arrays: each must reach the others' memory. A device may be named
/// twice.
bool can_spread(const std::vector<int>& ordinals);

/// Throws Error when a device has not enough memory.
void* allocate_spread(std::size_t bytes, const Spreading& spreading, std::string_view what);

/// False when the memory is none of these.
bool release_spread(void* memory) noexcept;

/// Where the parts of `bytes` bytes from an address on end, counted from there: one number for memory of one
/// device. Copies go part by part.
std::vector<std::size_t> ends_of_parts(const void* memory, std::size_t bytes);

}  // namespace ionwell::gpu
