// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime.h>

#include <sstream>
#include <string>
#include <string_view>

#include "core/device_use.hpp"
#include "gpu/runtime/gpu_numbers.hpp"

namespace ionwell::gpu {

/// Throws DeviceFailure of CUDA's present device, for the parts one after the other.
template <typename... Parts>
[[noreturn]] void fail_device(const std::string& advice, const Parts&... parts) {
  int ordinal = 0;
  cudaGetDevice(&ordinal);
  std::ostringstream reason;
  (reason << ... << parts);
  throw DeviceFailure(reason.str(), advice, number_of(ordinal));
}

/// Throws DeviceFailure when a CUDA call went wrong; `what` is what it was to do, as in "reading the map
/// back".
inline void check(cudaError_t status, std::string_view what) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // clear it, or the next call reports it again
  fail_device("run again, or use --backend cpu", "the GPU failed at ", what, ": ", cudaGetErrorString(status),
              " (", cudaGetErrorName(status), ")");
}

/// For use right after a launch.
inline void check_launch(std::string_view what) {
  check(cudaGetLastError(), what);
}

}  // namespace ionwell::gpu
