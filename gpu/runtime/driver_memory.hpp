// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace ionwell::gpu {

/// The free memory of the GPU that has least of it, by NVML, which comes with the driver: it starts nothing
/// on a GPU. 0 where there is no such library, or it does not answer.
std::int64_t ask_driver_for_free_bytes();

}  // namespace ionwell::gpu
