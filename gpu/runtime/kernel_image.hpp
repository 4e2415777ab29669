// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cuda_runtime.h>

namespace ionwell::gpu {

/// Whether this build has machine code or PTX that the current device can run: cudaSuccess, or what CUDA says
/// of it.
cudaError_t find_kernel_image();

}  // namespace ionwell::gpu
