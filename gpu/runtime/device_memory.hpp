// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string_view>

namespace ionwell::gpu {

/// Device memory. Throws Error with the numbers when there is not enough.
void* allocate(std::size_t bytes, std::string_view what);
void release(void* memory) noexcept;

/// Copies of the field that this thread works for.
void count_to_device(std::size_t bytes);
void count_to_host(std::size_t bytes);
void count_between_devices(std::size_t bytes);

}  // namespace ionwell::gpu
