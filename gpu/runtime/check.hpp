#pragma once

#include <cuda_runtime.h>

#include <string_view>

#include "core/error.hpp"

namespace ionwell::gpu {

/// Throws Error when a CUDA call went wrong; `what` is what it was to do, as in "reading the map back".
inline void check(cudaError_t status, std::string_view what) {
  if (status == cudaSuccess) return;
  cudaGetLastError();  // clear it, or the next call reports it again
  fail("the GPU failed at ", what, ": ", cudaGetErrorString(status), " (", cudaGetErrorName(status),
       "); run again, or use --backend cpu");
}

/// For use right after a launch.
inline void check_launch(std::string_view what) {
  check(cudaGetLastError(), what);
}

}  // namespace ionwell::gpu
