// SPDX-License-Identifier: BSD-3-Clause
#include "gpu/runtime/kernel_image.hpp"

namespace ionwell::gpu {
namespace {

/// Stands for all kernels of this build, which are compiled for the same devices.
__global__ void any_kernel() {}

}  // namespace

cudaError_t find_kernel_image() {
  cudaFuncAttributes attributes{};
  return cudaFuncGetAttributes(&attributes, any_kernel);
}

}  // namespace ionwell::gpu
