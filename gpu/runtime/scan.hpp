#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace ionwell::gpu {

/// Replaces data[i] by data[0] + ... + data[i - 1]; data has one element more than `count`, which gets the
/// total.
void exclusive_scan(std::uint32_t* data, std::int64_t count, cudaStream_t stream);

}  // namespace ionwell::gpu
