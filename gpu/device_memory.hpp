#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ionwell::gpu {

/// What this process did with device memory so far, all devices together.
struct DeviceTraffic {
  std::int64_t peak_bytes = 0;  // most that was allocated at one time
  std::int64_t to_device_bytes = 0, to_host_bytes = 0, between_devices_bytes = 0;
};

DeviceTraffic device_traffic();

/// Device memory, counted. Throws Error with the numbers when there is not enough.
void* allocate(std::size_t bytes, std::string_view what);
void release(void* memory, std::size_t bytes) noexcept;

void count_to_device(std::size_t bytes);
void count_to_host(std::size_t bytes);
void count_between_devices(std::size_t bytes);

}  // namespace ionwell::gpu
