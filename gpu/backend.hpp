// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

/// The GPUs of this build as a backend of the library; no CUDA header is needed to use it.
namespace ionwell {

class DeviceBackend;

/// CUDA's devices. In a build without CUDA there are none, and the list says so.
const DeviceBackend& gpu_backend();

/// For a program, before it uses the backend: lets CUDA see these GPUs alone (none named: the first), by
/// setting CUDA_VISIBLE_DEVICES. They keep their numbers. On a node of four a program that needs one of them
/// starts in 0.3 s instead of 1.0 s so. Of several, a run may hide those that do not pay. Does nothing when
/// there is no GPU of such a number.
void use_only_gpus(std::vector<int> numbers);

/// The free memory [bytes] of the GPU of this machine that has least of it, as the driver says without a
/// start of CUDA; 0 where it does not say. Asked for once, which takes 0.05 s on a node of four.
std::int64_t least_free_gpu_bytes();

}  // namespace ionwell
