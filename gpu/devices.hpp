// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "compute/backend.hpp"

/// The GPUs of this machine. Users count them by number, CUDA by ordinal (runtime/gpu_numbers.hpp).
namespace ionwell::gpu {

/// Looks for devices when it is called for the first time, which takes a few tenths of a second: 0.15 s for
/// each GPU that CUDA is shown (H200). Starts none of them, and says nothing of free memory.
const DeviceList& all_devices();

/// Whether that was done.
bool are_devices_known();

/// Starts one of them, which takes 0.13 s and some of its memory, and sees how much is free and whether it
/// runs this build's kernels. Throws Error, with the reason, when it cannot be used.
Device started_device(const Device& device);

/// Seconds that this process has spent in starting CUDA and devices.
double start_up_s();

/// The ordinals of numbers. Throws UsageError for a number that no device has, Error when there is none.
int known_ordinal(int number);
std::vector<int> ordinals_of(const std::vector<int>& numbers);

/// Of the first device that there is. Throws Error when there is none.
int first_ordinal();

}  // namespace ionwell::gpu
